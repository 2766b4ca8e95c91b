import { type Schedule, readCron, zoneTime } from "@deputy/protocol";
import { nextSlot } from "./next-slots.ts";

const DAY_MS = 86_400_000;

/** Slots that passed: the newest one by one, those before them as a whole. In order, none left out. */
export interface PassedSlots {
  readonly older?: { readonly fromMs: number; readonly untilMs: number; readonly count: number };
  readonly newest: readonly number[];
}

/** The slots that are listed one by one may all lie within this time. */
const FIRST_LOOK_MS = 60_000;

/** The slots in `(afterMs, untilMs]`; a limited number of them is listed one by one. Fast however many there are. */
export function passedSlots(
  schedule: Schedule,
  afterMs: number,
  untilMs: number,
  mostTold: number,
): PassedSlots {
  const first = nextSlot(schedule, afterMs);
  if (first === undefined || first > untilMs) return { newest: [] };
  const unitMs = schedule.kind === "every" ? schedule.everyMs : FIRST_LOOK_MS;
  for (let lookMs = mostTold * unitMs; ; lookMs *= 2) {
    const fromMs = Math.max(first - 1, untilMs - lookMs);
    const found = slotsWithin(schedule, fromMs, untilMs);
    const isAll = fromMs === first - 1;
    if (found.length < mostTold && !isAll) continue;
    const newest = found.slice(-mostTold);
    const [oldestTold = first] = newest;
    if (oldestTold === first) return { newest };
    const last = lastBefore(schedule, first, oldestTold);
    return { older: { fromMs: first, untilMs: last, count: countSlots(schedule, first - 1, last) }, newest };
  }
}

function slotsWithin(schedule: Schedule, afterMs: number, untilMs: number): readonly number[] {
  const slots: number[] = [];
  for (let slot = nextSlot(schedule, afterMs); slot !== undefined && slot <= untilMs;) {
    slots.push(slot);
    slot = nextSlot(schedule, slot);
  }
  return slots;
}

/** The last slot before one that has a slot before it. */
function lastBefore(schedule: Schedule, first: number, slotMs: number): number {
  for (let lookMs = FIRST_LOOK_MS; ; lookMs *= 2) {
    const last = slotsWithin(schedule, Math.max(first - 1, slotMs - lookMs), slotMs - 1).at(-1);
    if (last !== undefined) return last;
  }
}

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
