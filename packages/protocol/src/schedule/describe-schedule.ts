import { isRecord } from "@deputy/kit";
import type { Schedule } from "../schedule.ts";
import { DAY_NAMES, MONTH_NAMES, type CronFields, type CronWeekday, readCron } from "./cron-fields.ts";
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

/** What the clocks of the zone read, to the second: `2026-11-17T14:05:00+01:00`. */
export function wallStamp(ms: number, zone: string): string {
  const wall = zoneTime(zone).wallOf(ms);
  const minutes = Math.round((wall - ms) / 60_000);
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
  return `${new Date(wall).toISOString().slice(0, 19)}${offset}`;
}

/** `Tuesday 1 December 2026 at 09:00`, as the clocks of the zone show it. */
export function momentWords(ms: number, zone: string): string {
  const wall = new Date(zoneTime(zone).wallOf(ms));
  const day = `${DAY_NAMES[wall.getUTCDay()]} ${wall.getUTCDate()} ${MONTH_NAMES[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`;
  const time = wall.toISOString().slice(11, 19);
  return `${day} at ${time.replace(/:00$/, "")}`;
}

/** More than so many of anything is no sentence any more. */
const MOST_NAMED = 4;
const NTH = ["", "first", "second", "third", "fourth", "fifth"];

/** `on weekdays at 17:30`; undefined for what words do not fit. */
function cronWords(expression: string): string | undefined {
  const fields = readCron(expression);
  const time = timeWords(fields);
  const days = dayWords(fields);
  if (time === undefined || days === undefined) return undefined;
  if (time.kind === "at") return `${days === "" ? "every day" : days} ${time.words}`;
  return days === "" ? time.words : `${time.words}, ${days}`;
}

function timeWords({
  minutes,
  hours,
}: CronFields): { readonly kind: "at" | "every"; readonly words: string } | undefined {
  const [minute, ...more] = minutes;
  if (minute === undefined) return undefined;
  if (hours.length < 24) {
    if (more.length > 0 || hours.length > MOST_NAMED) return undefined;
    return { kind: "at", words: `at ${listed(hours.map((hour) => `${two(hour)}:${two(minute)}`))}` };
  }
  if (more.length === 0) return { kind: "every", words: `every hour at minute ${minute}` };
  const step = (more[0] ?? 0) - minute;
  const isEven =
    minute === 0 &&
    60 % step === 0 &&
    minutes.length === 60 / step &&
    minutes.every((at, index) => at === index * step);
  if (!isEven) return undefined;
  return { kind: "every", words: step === 1 ? "every minute" : `every ${step} minutes` };
}

/** Empty for every day. */
function dayWords({ days, months, weekdays }: CronFields): string | undefined {
  const monthNames = months.map((month) => MONTH_NAMES[month - 1] ?? "");
  const isEveryMonth = months.length === 12;
  if ((!isEveryMonth && months.length > MOST_NAMED) || days.length > MOST_NAMED) return undefined;
  if (days.length > 0 && weekdays.length > 0) return undefined;
  if (days.length > 0) {
    const named = listed(days.map((day) => (day === "last" ? "last day" : ordinal(day))));
    return `on the ${named} of ${isEveryMonth ? "every month" : listed(monthNames)}`;
  }
  const nths = weekdays.filter(({ nth }) => nth !== undefined);
  if (nths.length > 0) {
    if (nths.length < weekdays.length || nths.length > MOST_NAMED) return undefined;
    return `on the ${listed(nths.map(nthWords))} of ${isEveryMonth ? "every month" : listed(monthNames)}`;
  }
  const week = weekWords(weekdays.map(({ day }) => day));
  if (isEveryMonth) return week;
  return `${week === "" ? "every day" : week} in ${listed(monthNames)}`;
}

function weekWords(days: readonly number[]): string {
  if (days.length === 0 || days.length === 7) return "";
  const key = days.join();
  if (key === "1,2,3,4,5") return "on weekdays";
  if (key === "0,6") return "on weekends";
  // The week begins on Monday.
  const ordered = days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  return `every ${listed(ordered.map((day) => DAY_NAMES[day] ?? ""))}`;
}

const nthWords = ({ day, nth }: CronWeekday): string =>
  `${nth === "last" ? "last" : NTH[nth ?? 0]} ${DAY_NAMES[day]}`;

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function ordinal(day: number): string {
  const suffix = day % 100 > 10 && day % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${suffix}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * What a report must have, in words: `action "opened" and repository.name "site"`; empty for a filter that lets
 * everything pass. Filters described in the same words let the same reports pass.
 */
export function describeFilter(filter: Readonly<Record<string, unknown>>): string {
  return [...fieldsOf(filter, "")].join(" and ");
}

function* fieldsOf(filter: Readonly<Record<string, unknown>>, before: string): Iterable<string> {
  for (const [key, wanted] of Object.entries(filter)) {
    const name = `${before}${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)}`;
    if (isRecord(wanted) && Object.keys(wanted).length > 0) yield* fieldsOf(wanted, `${name}.`);
    else yield `${name} ${JSON.stringify(wanted)}`;
  }
}
