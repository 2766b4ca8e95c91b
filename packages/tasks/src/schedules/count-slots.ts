import { readCron, type Schedule, zoneTime } from "@deputy/protocol";
import { nextSlot } from "./next-slots.ts";

const DAY_MS = 86_400_000;

/** How many slots lie in `(afterMs, untilMs]`; days without a change of the clocks are not counted slot by slot. */
export function countSlots(schedule: Schedule, afterMs: number, untilMs: number): number {
  if (schedule.kind === "every") {
    const first = nextSlot(schedule, afterMs);
    return first === undefined || first > untilMs ? 0 : Math.floor((untilMs - first) / schedule.everyMs) + 1;
  }
  if (schedule.kind === "at") return (nextSlot(schedule, afterMs) ?? Infinity) <= untilMs ? 1 : 0;

  const clocks = zoneTime(schedule.zone);
  const { minutes, hours } = readCron(schedule.expression);
  const inOneDay = minutes.length * hours.length;
  let [count, fromMs] = [0, afterMs];
  for (;;) {
    const slot = nextSlot(schedule, fromMs);
    if (slot === undefined || slot > untilMs) return count;
    const midnight = Math.floor(clocks.wallOf(slot) / DAY_MS) * DAY_MS;
    const [startMs, endMs] = [clocks.reached(midnight), clocks.reached(midnight + DAY_MS)];
    const isPlain = endMs - startMs === DAY_MS && startMs > fromMs && endMs <= untilMs + 1;
    count += isPlain ? inOneDay : 1;
    fromMs = isPlain ? endMs - 1 : slot;
  }
}
