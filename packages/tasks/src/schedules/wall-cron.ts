import { readCron } from "@deputy/protocol";
import { Cron } from "croner";

/** A cron expression as to the calendar. A wall time is what clocks read, as milliseconds of the same reading in UTC. */
export interface WallCron {
  /** Whether it names every hour of the day. */
  readonly isHourly: boolean;
  /** The next wall time after this one that it names; undefined when there is none. */
  next(afterWallMs: number): number | undefined;
}

/** Each holds a table of ten thousand years, so few are kept; making one takes a tenth of a millisecond. */
const MOST_KEPT = 16;
const kept = new Map<string, WallCron>();

/**
 * Croner is asked about the calendar alone. Given a zone, it fires expressions with one minute and one hour
 * when the clocks jump past them, and once when they are shown twice; but of `0,30 2 * * *` it fires neither in
 * spring, and each twice in autumn. `next-slots.ts` has the one rule that holds here.
 */
export function wallCron(expression: string): WallCron {
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
