import { defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import { addSpan, distanceOf, isTime, isZone, momentOf, readMoment } from "./moment.ts";

export interface TimeDeps {
  /** The time by which tasks are due. */
  readonly now: () => number;
  /** The user's zone, in which schedules are read, too. */
  readonly zone: () => string;
  /** The language of a text for the user, if it is known. */
  readonly language?: string | undefined;
}

const zone = z
  .string()
  .max(60)
  .refine(isZone, "There is no such time zone: write it as Europe/Berlin, America/New_York or UTC")
  .optional()
  .describe("IANA name, for example Europe/Berlin; default the user's zone");
const at = z
  .string()
  .max(60)
  .refine(isTime, "Write it as 2026-11-18, 2026-11-18T09:00, 2026-11-18T09:00:00+01:00 or now")
  .describe("2026-11-18, 2026-11-18T09:00, with or without an offset such as Z or +01:00, or now");
const moment = z.object({
  iso: z.string(),
  utc: z.string(),
  date: z.string(),
  time: z.string(),
  weekday: z.string(),
  week: z.int().describe("ISO 8601"),
  zone: z.string(),
  epochMs: z.number(),
});
const MOST = 100_000_000;
const amount = z.int().min(-MOST).max(MOST).optional();
const style = z.enum(["full", "long", "medium", "short", "none"]);
/** Dates beyond this cannot be written in four digits. */
const MOST_MS = 253_402_214_400_000;
const inRange = (ms: number): boolean => Math.abs(ms) < MOST_MS;

const COMMON = {
  approval: "auto",
  effect: "read",
  isLocal: true,
  // Dates and numbers, and names of ours: nothing that others wrote fits into them.
  trust: "trusted",
} as const;

/** `tools.time`: zones, calendars and formats, which programs do not have of their own. */
export function timeTools({ now, zone: userZone, language }: TimeDeps): ToolTree {
  return {
    now: defineTool({
      ...COMMON,
      description: "The time now, in the user's zone or another one: date, time, weekday, week",
      args: z.object({ zone }),
      returns: moment,
      run: (input) => momentOf(now(), input.zone ?? userZone()),
    }),
    convert: defineTool({
      ...COMMON,
      description:
        "What the clocks of a zone read at a given time: converts between time zones, and tells the weekday and week of a date",
      args: z.object({
        at,
        from: zone.describe("The zone of a time without an offset; default the user's"),
        to: zone.describe("The zone of the result; default the user's"),
      }),
      returns: moment,
      run: (input) => momentOf(readMoment(input.at, input.from ?? userZone(), now()), input.to ?? userZone()),
    }),
    add: defineTool({
      ...COMMON,
      description:
        "A time so much later, or earlier with negative numbers. Days, weeks, months and years keep the time of day across daylight saving; the 31st and a month give the last day of a shorter month",
      args: z
        .object({
          at,
          years: amount,
          months: amount,
          weeks: amount,
          days: amount,
          hours: amount,
          minutes: amount,
          seconds: amount,
          zone,
        })
        .refine(
          ({ at: start, zone: where, ...span }) =>
            inRange(addSpan(readMoment(start, where ?? "UTC", 0), span, "UTC")),
          "That is no date between the years 1 and 9999",
        ),
      returns: moment,
      run: ({ at: start, zone: where = userZone(), ...span }) =>
        momentOf(addSpan(readMoment(start, where, now()), span, where), where),
    }),
    between: defineTool({
      ...COMMON,
      description:
        "How long it is from one time to another, in each unit; negative if `to` is earlier. calendarDays counts changes of the date",
      args: z.object({ from: at, to: at, zone }),
      returns: z.object({
        seconds: z.number(),
        minutes: z.number(),
        hours: z.number(),
        calendarDays: z.number(),
        weeks: z.number(),
        months: z.number(),
        years: z.number(),
      }),
      run: ({ from, to, zone: where = userZone() }) =>
        distanceOf(readMoment(from, where, now()), readMoment(to, where, now()), where),
    }),
    format: defineTool({
      ...COMMON,
      description:
        "A time as people write it, in a language, for example “Wednesday, November 18, 2026 at 9:00 AM”",
      args: z.object({
        at,
        zone,
        language: z
          .string()
          .max(40)
          .refine(isLanguage, "There is no such language: write it as en, de-AT or pt-BR")
          .optional()
          .describe("For example en-GB or de; default the user's, else en"),
        date: style.default("full"),
        time: style.default("short"),
      }),
      returns: z.string(),
      run: ({ at: start, zone: where = userZone(), language: named, date, time }) => {
        const ms = readMoment(start, where, now());
        return new Intl.DateTimeFormat(named ?? languageOr(language), {
          timeZone: where,
          ...(date === "none" ? {} : { dateStyle: date }),
          ...(time === "none" ? {} : { timeStyle: time }),
        }).format(ms);
      },
    }),
  };
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
}

/** The tag of what the settings call the user's language: a tag, or its name in English or in itself. */
function languageOr(named: string | undefined): string {
  if (named === undefined) return "en";
  return isLanguage(named) ? named : (tagOf(named) ?? "en");
}

/** All tags of two letters are tried; only languages have names. */
function tagOf(named: string): string | undefined {
  const wanted = named.trim().toLowerCase();
  const letters = Array.from({ length: 26 }, (_, nth) => String.fromCharCode(97 + nth));
  const inEnglish = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  for (const tag of letters.flatMap((first) => letters.map((second) => first + second))) {
    if (inEnglish.of(tag) === undefined || !isLanguage(tag)) continue;
    const ownName = new Intl.DisplayNames(tag, { type: "language" }).of(tag);
    if (inEnglish.of(tag)?.toLowerCase() === wanted || ownName?.toLowerCase() === wanted) return tag;
  }
  return undefined;
}
