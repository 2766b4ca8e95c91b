import type { Schedule, ZoneTime } from "@deputy/protocol";
import { zoneTime, readCron } from "@deputy/protocol/schedule";
import { Cron } from "croner";

/** Each holds a table of ten thousand years, so few are kept; making one takes a tenth of a millisecond. */
const MOST_KEPT = 16;

const kept = new Map<string, WallCron>();

/** The next slots after a moment, in order; fewer if there are no more. */
export function nextSlots(schedule: Schedule, afterMs: number, count: number): readonly number[] {
  const fixed = anchored(schedule, afterMs);
  const slots: number[] = [];
  let slot = nextSlot(fixed, afterMs);
  for (; slot !== undefined && slots.length < count; slot = nextSlot(fixed, slot)) slots.push(slot);
  return slots;
}

/** An interval without an anchor counts from here. */
export function anchored(schedule: Schedule, anchorMs: number): Schedule {
  if (schedule.kind !== "every" || schedule.anchorAt !== undefined) return schedule;
  return { ...schedule, anchorAt: new Date(anchorMs).toISOString() };
}

/** The first slot after a moment, without jitter; undefined if there is none. */
export function nextSlot(schedule: Schedule, afterMs: number): number | undefined {
  if (schedule.kind === "cron") return nextCronSlot(schedule, afterMs);
  if (schedule.kind === "at") {
    const atMs = Date.parse(schedule.at);
    return atMs > afterMs ? atMs : undefined;
  }
  const anchorMs = schedule.anchorAt === undefined ? afterMs : Date.parse(schedule.anchorAt);
  const passed = Math.floor((afterMs - anchorMs) / schedule.everyMs) + 1;
  return anchorMs + Math.max(passed, 0) * schedule.everyMs;
}

function nextCronSlot(
  { expression, zone }: Extract<Schedule, { kind: "cron" }>,
  afterMs: number,
): number | undefined {
  const clocks = zoneTime(zone);
  const cron = wallCron(expression);
  // For every hour: elapsed hours count, not what the clocks show.
  if (cron.isHourly) return nextShown(cron, clocks, afterMs);
  // A slot is the first moment at which the clocks show the named time, or a later one.
  const wallMs = cron.next(clocks.highestWall(afterMs));
  return wallMs === undefined ? undefined : clocks.reached(wallMs);
}

/**
 * The next moment at which the clocks show a named time: one shown twice counts twice, one never shown does
 * not count.
 */
function nextShown(cron: WallCron, clocks: ZoneTime, afterMs: number): number | undefined {
  let sinceMs = afterMs;
  let wallMs = clocks.wallOf(afterMs);
  for (;;) {
    const named = cron.next(wallMs);
    if (named === undefined) return undefined;
    const slotMs = sinceMs + (named - wallMs);
    const changeMs = clocks.nextChange(sinceMs, slotMs);
    if (changeMs === undefined) return slotMs;
    sinceMs = changeMs;
    wallMs = clocks.wallOf(changeMs);
    // The time to which the clocks are set is shown too.
    if (cron.next(wallMs - 1) === wallMs) return changeMs;
  }
}

/**
 * The calendar of a cron expression. A wall time is what clocks show, as milliseconds of the same reading in
 * UTC.
 */
interface WallCron {
  /** True when the expression names every hour of the day. */
  readonly isHourly: boolean;
  /** The next matching wall time after this one; undefined if there is none. */
  next(afterWallMs: number): number | undefined;
}

/**
 * Croner is used for the calendar only. With a zone, it fires expressions with one minute and one hour when
 * the clocks jump past them, and once when they are shown twice; but it fires `0,30 2 * * *` not at all in
 * spring, and each time twice in autumn. `next-slots.ts` has the one rule that holds here.
 */
function wallCron(expression: string): WallCron {
  const cron = kept.get(expression) ?? createWallCron(expression);
  kept.delete(expression);
  kept.set(expression, cron);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return cron;
}

function createWallCron(expression: string): WallCron {
  const cron = new Cron(expression, { mode: "5-part", utcOffset: 0, paused: true });
  return {
    isHourly: readCron(expression).hours.length === 24,
    next: (afterWallMs) => cron.nextRun(new Date(afterWallMs))?.getTime(),
  };
}
