import type { Schedule } from "@deputy/protocol";

/** How much later than its slot a task is due: the same in every process, and no more than its interval. */
export function jitterOf(taskId: string, slotMs: number, schedule: Schedule): number {
  const most = schedule.kind === "every" ? Math.min(schedule.jitterMs, schedule.everyMs) : schedule.jitterMs;
  if (most === 0) return 0;
  return Math.floor((hash(`${taskId} ${slotMs}`) / 2 ** 32) * (most + 1));
}

/** FNV-1a, and a finish that spreads neighbouring slots over the whole range. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
