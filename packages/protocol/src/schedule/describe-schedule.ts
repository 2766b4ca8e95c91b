import type { Schedule } from "../schedule.ts";
import { DAY_NAMES, MONTH_NAMES } from "./calendar-names.ts";
import { cronWords } from "./cron-words.ts";
import { durationWords } from "./duration-text.ts";
import { zoneTime } from "./zone-time.ts";

/** When it is due, in words. Of a cron expression that words do not fit, the expression itself. */
export function describeSchedule(schedule: Schedule): string {
  if (schedule.kind === "every") return `every ${durationWords(schedule.everyMs)}`;
  if (schedule.kind === "cron") {
    const { expression, zone } = schedule;
    return `${cronWords(expression) ?? `by the cron expression ${expression}`}, ${zone}`;
  }
  const { at, zone = "UTC" } = schedule;
  return `once, on ${momentWords(Date.parse(at), zone)}, ${zone}`;
}

/** `Tuesday 1 December 2026 at 09:00`, as the clocks of the zone show it. */
export function momentWords(ms: number, zone: string): string {
  const wall = new Date(zoneTime(zone).wallOf(ms));
  const day = `${DAY_NAMES[wall.getUTCDay()]} ${wall.getUTCDate()} ${MONTH_NAMES[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`;
  const time = wall.toISOString().slice(11, 19);
  return `${day} at ${time.replace(/:00$/, "")}`;
}
