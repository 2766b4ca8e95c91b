import { parseSchedule, type Schedule, type ScheduleInput } from "@deputy/protocol";

/** A cron expression by what it means, to be written down as one and to be looked up minute by minute. */
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
 * The slots in `[fromMs, untilMs)`, both whole minutes, found by looking at the clocks in every minute: what they
 * newly read or jump past is due then. With every hour named: whatever they show.
 */
export function slotsByLooking(meant: MeantCron, zone: string, fromMs: number, untilMs: number): number[] {
  const reading = readingIn(zone);
  const slots: number[] = [];
  // What they have read in the day before is not new.
  let highest = -Infinity;
  for (let ms = fromMs - 1_500 * MINUTE; ms < fromMs; ms += MINUTE) highest = Math.max(highest, reading(ms));
  for (let ms = fromMs; ms < untilMs; ms += MINUTE) {
    const wall = reading(ms);
    const isDue = meant.hours === undefined ? isNamed(meant, wall) : isNewlyNamed(meant, highest, wall);
    if (isDue) slots.push(ms);
    highest = Math.max(highest, wall);
  }
  return slots;
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
  // Of a day and a weekday, either will do.
  return isDay === undefined || isWeekday === undefined ? (isDay ?? isWeekday ?? true) : isDay || isWeekday;
}

function readingIn(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (ms) => Date.parse(`${format.format(ms).replace(" ", "T")}:00Z`);
}
