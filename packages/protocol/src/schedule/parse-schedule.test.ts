import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Schedule, scheduleInputSchema, scheduleSchema } from "../schedule.ts";
import { parseSchedule } from "./parse-schedule.ts";
import { ScheduleError } from "./zone-time.ts";

const NOW = "2026-11-16T11:00:00.000Z";
const context = { zone: "Europe/Berlin", nowMs: Date.parse(NOW) };
const usual = { misfire: { kind: "once" }, catchUpMs: 86_400_000, overlap: "skip", jitterMs: 0 };
const parse = (input: unknown): Schedule => parseSchedule(scheduleInputSchema.parse(input), context);
const cron = (expression: string, zone = "Europe/Berlin") => ({ kind: "cron", expression, zone });
const every = (everyMs: number) => ({ kind: "every", everyMs, anchorAt: NOW });
const at = (moment: string, zone = "Europe/Berlin") => ({ kind: "at", at: moment, zone });

test.each([
  ["0 9 * * *", cron("0 9 * * *")],
  ["  0   9 * * mon-fri ", cron("0 9 * * MON-FRI")],
  ["0 9 * * * Europe/London", cron("0 9 * * *", "Europe/London")],
  ["0 9 * * * europe/london", cron("0 9 * * *", "Europe/London")],
  ["*/5 8-18/2 L 1,JUL FRI#L UTC", cron("*/5 8-18/2 L 1,JUL FRI#L", "UTC")],
  ["0 0 29 2 *", cron("0 0 29 2 *")],
  ["@daily", cron("0 0 * * *")],
  ["@weekly Asia/Kolkata", cron("0 0 * * 0", "Asia/Kolkata")],
  ["hourly", cron("0 * * * *")],
  ["daily at 9am", cron("0 9 * * *")],
  ["every day at 9 and 17", cron("0 9,17 * * *")],
  ["Daily at 12:05 AM, America/New_York", cron("5 0 * * *", "America/New_York")],
  ["weekdays at 17:30 Europe/London", cron("30 17 * * 1-5", "Europe/London")],
  ["on weekends at noon", cron("0 12 * * 0,6")],
  ["every monday at 9", cron("0 9 * * 1")],
  ["every monday 8:00", cron("0 8 * * 1")],
  ["Mondays, 8am", cron("0 8 * * 1")],
  ["daily 9:30 and 17:30", cron("30 9,17 * * *")],
  ["at 8:15 every weekday", cron("15 8 * * 1-5")],
  ["7am daily", cron("0 7 * * *")],
  ["every week on monday at 9", cron("0 9 * * 1")],
  ["tuesdays, thu and Saturday at 7.15pm", cron("15 19 * * 2,4,6")],
  ["monthly on the 31st at midnight", cron("0 0 31 * *")],
  ["on the last day of every month at 23:59", cron("59 23 L * *")],
  ["every 30m", every(1_800_000)],
  ["every 2 hours", every(7_200_000)],
  ["every 1h30m", every(5_400_000)],
  ["every 1 hour and 30 minutes", every(5_400_000)],
  ["every minute", every(60_000)],
  ["every 2 weeks", every(14 * 86_400_000)],
  ["at 2026-12-01T09:00", at("2026-12-01T08:00:00.000Z")],
  ["at 2026-12-01 09:00 America/New_York", at("2026-12-01T14:00:00.000Z", "America/New_York")],
  ["at 2026-12-01T09:00:00Z", at("2026-12-01T09:00:00.000Z")],
  ["2026-12-01t09:00:30.5+05:30", at("2026-12-01T03:30:30.500Z")],
  ["in 20 minutes", at("2026-11-16T11:20:00.000Z")],
  ["tomorrow at 5pm", at("2026-11-17T16:00:00.000Z")],
  ["at tomorrow at 5pm", at("2026-11-17T16:00:00.000Z")],
  ["Tomorrow 17:30", at("2026-11-17T16:30:00.000Z")],
  ["at 9 tomorrow", at("2026-11-17T08:00:00.000Z")],
  ["today at 12:01", at("2026-11-16T11:01:00.000Z")],
  ["tonight at 8pm", at("2026-11-16T19:00:00.000Z")],
  ["next monday at 9am", at("2026-11-23T08:00:00.000Z")],
  ["next fri at 9", at("2026-11-20T08:00:00.000Z")],
  ["3 march at 9", at("2027-03-03T08:00:00.000Z")],
  ["on the 1st of December, 17:30", at("2026-12-01T16:30:00.000Z")],
  ["Dec 1 at 5pm America/New_York", at("2026-12-01T22:00:00.000Z", "America/New_York")],
  ["16 november at noon", at("2027-11-16T11:00:00.000Z")],
  ["february 29 at 9", at("2028-02-29T08:00:00.000Z")],
  ["1 march 2028 at 9", at("2028-03-01T08:00:00.000Z")],
  ["tomorrow at 5pm America/New_York", at("2026-11-17T22:00:00.000Z", "America/New_York")],
])("[P50] %s", (text, timing) => {
  expect(parse(text)).toEqual({ ...timing, ...usual });
});

test.each([
  ["at 2027-03-28T02:30", "2027-03-28T01:00:00.000Z"],
  ["at 2027-10-31T02:30", "2027-10-31T00:30:00.000Z"],
])("[P53] %s: skipped by the clocks or shown twice", (text, moment) => {
  expect(parse(text)).toMatchObject({ at: moment });
});

test("[P50] what fields say is kept, what they leave out is written down", () => {
  expect(parse({ kind: "cron", expression: "@hourly" })).toEqual({ ...cron("0 * * * *"), ...usual });
  expect(parse({ kind: "every", everyMs: 60_000, anchorAt: "2026-01-01T00:00:00Z" })).toEqual({
    ...every(60_000),
    anchorAt: "2026-01-01T00:00:00Z",
    ...usual,
  });
  const policies = { misfire: { kind: "all", max: 3 }, catchUpMs: 0, overlap: "queue", jitterMs: 5 };
  expect(parse({ kind: "at", at: "2026-12-01T09:00", zone: "UTC", ...policies })).toEqual({
    ...at("2026-12-01T09:00:00.000Z", "UTC"),
    ...policies,
  });
  expect(parse({ kind: "every", everyMs: 1_000, misfire: { kind: "all" } })).toMatchObject({
    misfire: { kind: "all", max: 10 },
  });
});

test.each([
  ["invalid_schedule", "", "no schedule"],
  ["invalid_schedule", "whenever", "no schedule"],
  ["invalid_schedule", "at 9am", "no schedule"],
  ["invalid_schedule", "daily at 25", "no schedule"],
  ["invalid_schedule", "daily at 13pm", "no schedule"],
  ["invalid_schedule", "daily at 9:00 and 17:30", "no schedule"],
  ["invalid_schedule", "every day", "at what time"],
  ["invalid_schedule", "every monday", "at what time"],
  ["invalid_schedule", "every 10ms", "no schedule"],
  ["invalid_schedule", "every 0s", "An interval is at least a second"],
  ["invalid_schedule", "every 0.5s", "An interval is at least a second"],
  ["invalid_schedule", "every 99999 days", "An interval is at most ten years"],
  ["invalid_schedule", "every 30m Europe/Berlin", "no time zone"],
  ["invalid_schedule", "* * * *", "this has 4"],
  ["invalid_schedule", "0 0 9 * * *", "this has 6"],
  ["invalid_schedule", "0 9 * * * MON", "this has 6"],
  ["invalid_schedule", "0 9 * * 1 UTC now", "this has 7"],
  ["invalid_schedule", "60 9 * * *", '"60" is no minute'],
  ["invalid_schedule", "0 24 * * *", '"24" is no hour'],
  ["invalid_schedule", "0 9 0 * *", '"0" is no day of the month'],
  ["invalid_schedule", "0 9 * 13 *", '"13" is no month'],
  ["invalid_schedule", "0 9 * * 8", '"8" is no day of the week'],
  ["invalid_schedule", "0 9 * * FRI-MON", '"FRI-MON" is no day of the week'],
  ["invalid_schedule", "0 9 * * MON#6", '"MON#6" is no day of the week'],
  ["invalid_schedule", "0 9 * * 1-5#2", '"1-5#2" is no day of the week'],
  ["invalid_schedule", "5/10 * * * *", '"5/10" is no minute'],
  ["invalid_schedule", "*/0 * * * *", '"*/0" is no minute'],
  ["invalid_schedule", "1,,2 * * * *", '"" is no minute'],
  ["invalid_schedule", "at 2027-02-30T00:00", "no date and time"],
  ["invalid_schedule", "at 2027-02-03T24:30", "no date and time"],
  ["invalid_schedule", "31 february at 9", "There is no 31 February"],
  ["invalid_schedule", "on April 31st", "There is no 31 April"],
  ["invalid_schedule", "29 feb 2027 at 9am", "There is no 29 February 2027"],
  ["invalid_schedule", "0 march at noon", "There is no 0 March"],
  ["invalid_schedule", "3 march", "at what time"],
  ["invalid_schedule", "3 march at 25", "no schedule"],
  ["schedule_in_past", "3 march 2026 at 9", "has passed"],
  ["unknown_zone", "0 9 * * * Mars/Base", "Mars/Base"],
  ["unknown_zone", "daily at 9 Europe/Atlantis", "Europe/Atlantis"],
  ["schedule_in_past", "at 2026-11-16T11:59", "has passed"],
  ["schedule_in_past", "in 0s", "has passed"],
  ["schedule_in_past", "today at noon", "has passed"],
  ["invalid_schedule", "next week at 9", "no schedule"],
  ["schedule_never_fires", "0 0 30 2 *", "never due"],
  ["schedule_never_fires", "0 0 31 4,6,9,11 *", "never due"],
])("[P51] %s: %s", (code, text, said) => {
  const refused = (): Schedule => parseSchedule(text, context);
  expect(refused).toThrow(ScheduleError);
  expect(refused).toThrow(
    expect.objectContaining({
      code,
      message: expect.stringContaining(said),
      hint: expect.stringMatching(/\w/),
    }),
  );
});

test("[P51] a time that has passed is said as the clocks of its zone show it, and so is the present", () => {
  expect(() => parseSchedule("today at 6am Asia/Tokyo", { ...context, zone: "UTC" })).toThrow(
    expect.objectContaining({
      message: "Monday 16 November 2026 at 06:00 (Asia/Tokyo) has passed",
      hint: "It is Monday 16 November 2026 at 20:00 there; say a later time, for example in 20 minutes.",
    }),
  );
});

test("[P51] of fields too: a zone that is an offset, an unknown field, a time that has passed", () => {
  expect(() => parse({ ...cron("0 9 * * *", "+02:00") })).toThrow(
    expect.objectContaining({ code: "unknown_zone" }),
  );
  expect(() => parse({ ...at("2020-01-01T00:00:00.000Z") })).toThrow(
    expect.objectContaining({ code: "schedule_in_past" }),
  );
  expect(scheduleInputSchema.safeParse({ ...every(60_000), seconds: 1 }).success).toBe(false);
  expect(scheduleInputSchema.safeParse(every(999)).success).toBe(false);
});

test("[P51] whatever is typed is a schedule or refused, and never anything else", () => {
  const word = fc.constantFrom(
    "every",
    "at",
    "daily",
    "monday",
    "9",
    "9am",
    "30m",
    "*",
    "*/5",
    "1-5",
    "L",
    "UTC",
    "in",
    "on",
    "the",
    "2026-12-01T09:00",
    ",",
    "#",
  );
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(typed, (text) => {
      try {
        expect(scheduleSchema.safeParse(parseSchedule(text, context)).success).toBe(true);
      } catch (error) {
        if (!(error instanceof ScheduleError)) throw error;
      }
    }),
    { numRuns: 2_000 },
  );
});

test("[P50] what was parsed is parsed as itself, from JSON too", () => {
  const texts = [
    "0 9 L * MON#2 UTC",
    "every 90s",
    "at 2026-12-01T09:00",
    "weekdays at 8",
    "@yearly Asia/Tokyo",
  ];
  for (const text of texts) {
    const schedule = parse(text);
    expect(scheduleSchema.parse(schedule)).toEqual(schedule);
    expect(parse(JSON.parse(JSON.stringify(schedule)))).toEqual(schedule);
  }
});
