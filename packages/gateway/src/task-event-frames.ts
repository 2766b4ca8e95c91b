import { type EventLog, projectTaskEvents, type Task, type TaskEvent } from "@deputy/protocol";
import { GatewayError } from "./gateway-error.ts";
import type { EventFrames } from "./route.ts";

const ended: ReadonlySet<Task["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/**
 * A task's events as server-sent events, from the log and then live, through its `completed`.
 * The cursor is the canonical `seq`. It stands only on the last TaskEvent of a canonical event, so
 * that a client that resumes never gets half a group again, nor misses the other half.
 */
export function taskEventFrames(log: EventLog, task: Task, after: number): EventFrames {
  // The cursor of an ended task may lie at its `completed`; that is found by reading from the start.
  const from = ended.has(task.status) ? 0 : after;
  return async function* frames(signal) {
    for await (const item of log.subscribe(task.stream, { after: from }, signal)) {
      if (item.kind === "delta") continue;
      const { seq } = item.event;
      const projected = projectTaskEvents(item.event);
      if (seq > after && projected.length > 0) yield groupFrame(projected, seq);
      if (projected.some(({ type }) => type === "completed")) return;
    }
  };
}

function groupFrame(group: readonly TaskEvent[], seq: number): string {
  const frames = group.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return [...frames.slice(0, -1), `id: ${seq}\n${frames.at(-1)}`].join("");
}

/** The `seq` a `Last-Event-ID` names; 0 without one. Rejects with `invalid_cursor`, also for one from the future. */
export async function readCursor(
  log: EventLog,
  task: Task,
  lastEventId: string | undefined,
): Promise<number> {
  if (lastEventId === undefined) return 0;
  const seq = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
  const head = await log.head(task.stream);
  if (seq !== undefined && seq <= (head?.seq ?? 0)) return seq;
  throw new GatewayError("invalid_cursor", "Last-Event-ID is not a position in this task's events", {
    hint: "Leave it out to start from the beginning",
  });
}
