import { MONTHS, WEEKDAYS, wordsOfDate } from "../text/describe-place.ts";
import { termsOf } from "../text/words-of.ts";
import type { QueryTerm } from "./read-query.ts";

/** The days that a question is about. */
export interface AskedTime {
  /** By an ISO date: true for those days, and for some after them, on which people still speak of what happened. */
  covers(date: string): boolean;
  /** What pieces of days are found by that the question does not name by their date, such as `yesterday`. */
  readonly terms: readonly QueryTerm[];
}

/** A day, a month or a year; without a year, those of any. Months count from 0. */
interface Named {
  readonly year: number | undefined;
  readonly month?: number | undefined;
  readonly day?: number | undefined;
}

/** Days since 1970, both included. */
interface Days {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
const SPOKEN_OF_DAYS = 20;
/** In a longer time than this, not each day is looked for. */
const MOST_NAMED_DAYS = 7;

const MONTH = `(?<month>${MONTHS.join("|")})`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?:,? (?<year>\d{4})\b)`;
/** Each finds what those before it have left. */
const NAMED: readonly RegExp[] = [
  /\b(?<year>\d{4})-(?<number>0[1-9]|1[0-2])(?:-(?<day>0[1-9]|[12]\d|3[01]))?\b/g,
  new RegExp(String.raw`\b${DAY}(?: of)? ${MONTH}\b${YEAR}?`, "gi"),
  new RegExp(String.raw`\b${MONTH} ${DAY}\b${YEAR}?`, "gi"),
  new RegExp(String.raw`\b${MONTH}\b${YEAR}`, "gi"),
  // Elsewhere, `may` and `march` are no months.
  new RegExp(String.raw`\b(?:in|of|since|until|by|during|last|early|late|mid)[ -]${MONTH}\b`, "gi"),
  /\b(?:in|of|since|during|from|for) (?<year>(?:19|20)\d{2})\b/gi,
];

const COUNTS = "a one two three four five six seven eight nine ten".split(" ");
const DAYS_OF = { day: 1, week: 7, month: 30, year: 365 } as const;
const UNIT = "(?<unit>day|week|month|year)";
const AGO = new RegExp(String.raw`\b(?<count>\d{1,3}|${COUNTS.join("|")}) ${UNIT}s? ago\b`, "gi");
const LAST = new RegExp(String.raw`\b(?<which>last|this|past|previous) ${UNIT}\b`, "gi");
const NEAR =
  /\b(?:(?<before>the day before yesterday)|(?<yesterday>yesterday|last night)|today|this (?:morning|afternoon))\b/gi;
const WEEKDAY = new RegExp(String.raw`\b(?:on|last|since) (?<weekday>${WEEKDAYS.join("|")})\b`, "gi");

/** Undefined if the question names no time. `nowMs` counts as a day of this machine's time zone. */
export function readTimes(question: string, nowMs: number): AskedTime | undefined {
  const named = [...namedIn(question)];
  const now = new Date(nowMs);
  const relative = [...relativeIn(question, dayOf(now.getFullYear(), now.getMonth(), now.getDate()))];
  if (named.length + relative.length === 0) return undefined;
  return {
    covers(date) {
      const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
      if (day === undefined) return false;
      const at = dayOf(Number(year), Number(month) - 1, Number(day));
      const all = [...relative, ...named.map((each) => daysOf(each, Number(year)))];
      return all.some(({ from, to }) => at >= from && at <= to + SPOKEN_OF_DAYS);
    },
    terms: relative.flatMap(termsOfDays),
  };
}

function* namedIn(question: string): Iterable<Named> {
  let rest = question;
  for (const pattern of NAMED) {
    for (const { groups = {} } of rest.matchAll(pattern)) {
      const { year, number, day } = groups;
      const name = MONTHS.findIndex((each) => each.toLowerCase() === groups["month"]?.toLowerCase());
      const month = number === undefined ? name : Number(number) - 1;
      yield {
        year: year === undefined ? undefined : Number(year),
        month: month === -1 ? undefined : month,
        day: day === undefined ? undefined : Number(day),
      };
    }
    rest = rest.replaceAll(pattern, " … ");
  }
}

function daysOf({ year, month, day }: Named, ofYear: number): Days {
  const own = year ?? ofYear;
  if (month === undefined) return { from: dayOf(own, 0, 1), to: dayOf(own, 11, 31) };
  if (day === undefined) return { from: dayOf(own, month, 1), to: dayOf(own, month + 1, 0) };
  return { from: dayOf(own, month, day), to: dayOf(own, month, day) };
}

function* relativeIn(question: string, today: number): Iterable<Days> {
  for (const { groups = {} } of question.matchAll(NEAR)) {
    const ago = groups["before"] !== undefined ? 2 : groups["yesterday"] !== undefined ? 1 : 0;
    yield { from: today - ago, to: today - ago };
  }
  for (const { groups = {} } of question.matchAll(WEEKDAY)) {
    const wanted = WEEKDAYS.findIndex((each) => each.toLowerCase() === groups["weekday"]?.toLowerCase());
    const ago = (weekdayOf(today) - wanted + 6) % 7; // The last one before today.
    yield { from: today - ago - 1, to: today - ago - 1 };
  }
  for (const { groups = {} } of question.matchAll(AGO)) {
    const length = lengthOf(groups["unit"]);
    const count =
      Number(groups["count"]) || Math.max(1, COUNTS.indexOf(groups["count"]?.toLowerCase() ?? ""));
    // Somebody who says three weeks means about three weeks.
    const about = Math.floor(length / 2);
    yield { from: today - count * length - about, to: Math.min(today, today - count * length + about) };
  }
  for (const { groups = {} } of question.matchAll(LAST)) {
    const length = lengthOf(groups["unit"]);
    // The last week begins two weeks ago, on the day of a week that is like today.
    const isBefore = groups["which"]?.toLowerCase() !== "this";
    yield { from: today - length * (isBefore ? 2 : 1) + 1, to: today };
  }
}

function lengthOf(unit: string | undefined): number {
  return DAYS_OF[unit?.toLowerCase() as keyof typeof DAYS_OF];
}

/** As pieces have them in their first line: in words, or as a heading of a conversation. */
function termsOfDays({ from, to }: Days): readonly QueryTerm[] {
  if (to - from >= MOST_NAMED_DAYS) return [];
  return Array.from({ length: to - from + 1 }, (_, at) =>
    new Date((from + at) * DAY_MS).toISOString(),
  ).flatMap((date) => {
    const day = date.slice(0, 10);
    const written = wordsOfDate(date).replace(/^\w+, /, "");
    return [written, day].map((word) => ({ terms: termsOf(word), word, isExact: true }));
  });
}

function dayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month, day) / DAY_MS;
}

/** Sunday is 0; the first day of 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return (day + 4) % 7;
}
