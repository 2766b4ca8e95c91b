import type { Schedule, ScheduleInput } from "@deputy/protocol";
import { parseSchedule } from "@deputy/protocol/schedule";

/** A cron expression by its meaning, to be written as text and checked minute by minute. */
export interface MeantCron {
  readonly minutes: readonly number[];
  /** Undefined for `*`, here and below. */
  readonly hours?: readonly number[] | undefined;
  readonly days?: readonly (number | "L")[] | undefined;
  readonly months?: readonly number[] | undefined;
  readonly weekdays?: readonly { readonly day: number; readonly nth?: number | "L" }[] | undefined;
}

const MINUTE = 60_000;

export function scheduleOf(input: ScheduleInput, nowMs = 0): Schedule {
  return parseSchedule(input, { zone: "UTC", nowMs });
}

export function written({ minutes, hours, days, months, weekdays }: MeantCron): string {
  const named = weekdays?.map(({ day, nth }) => (nth === undefined ? `${day}` : `${day}#${nth}`));
  return [minutes, hours, days, months, named].map((list) => list?.join() ?? "*").join(" ");
}

/**
 * Checks the clocks in every minute of `[fromMs, untilMs)`, both whole minutes, and returns the slots of an
 * expression: a time is due when the clocks first show it or jump past it. With every hour named: whenever
 * they show it.
 */
export function lookAtClocks(zone: string, fromMs: number, untilMs: number): (meant: MeantCron) => number[] {
  const reading = readingIn(zone);
  const seen: { readonly ms: number; readonly wall: number; readonly highest: number }[] = [];
  let highest = -Infinity;
  // What they showed in the day before is not new.
  for (let ms = fromMs - 1_500 * MINUTE; ms < untilMs; ms += MINUTE) {
    const wall = reading(ms);
    if (ms >= fromMs) seen.push({ ms, wall, highest });
    highest = Math.max(highest, wall);
  }
  return (meant) =>
    seen
      .filter((one) =>
        meant.hours === undefined ? isNamed(meant, one.wall) : isNewlyNamed(meant, one.highest, one.wall),
      )
      .map(({ ms }) => ms);
}

function isNewlyNamed(meant: MeantCron, highest: number, wall: number): boolean {
  for (let named = highest + MINUTE; named <= wall; named += MINUTE) if (isNamed(meant, named)) return true;
  return false;
}

function isNamed({ minutes, hours, days, months, weekdays }: MeantCron, wall: number): boolean {
  const date = new Date(wall);
  if (!minutes.includes(date.getUTCMinutes())) return false;
  if (hours?.includes(date.getUTCHours()) === false) return false;
  if (months?.includes(date.getUTCMonth() + 1) === false) return false;
  const day = date.getUTCDate();
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const isDay = days?.some((one) => (one === "L" ? day === last : day === one));
  const isWeekday = weekdays?.some(({ day: weekday, nth }) => {
    if (weekday !== date.getUTCDay()) return false;
    if (nth === undefined) return true;
    return nth === "L" ? day + 7 > last : Math.ceil(day / 7) === nth;
  });
  // Either the day or the weekday must match.
  return isDay === undefined || isWeekday === undefined ? (isDay ?? isWeekday ?? true) : isDay || isWeekday;
}

function readingIn(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (ms) => Date.parse(`${format.format(ms).replace(" ", "T")}:00Z`);
}
