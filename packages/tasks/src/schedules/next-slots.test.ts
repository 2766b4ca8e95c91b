import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countSlots } from "./decide-slots.ts";
import { nextSlots } from "./next-slots.ts";
import { lookAtClocks, type MeantCron, scheduleOf, written } from "./slot-oracle.fixture.ts";

const HOUR = 3_600_000;
const iso = (slots: readonly number[]): readonly string[] => slots.map((ms) => new Date(ms).toISOString());
const due = (text: string, after: string, count: number): readonly string[] =>
  iso(nextSlots(scheduleOf(text), Date.parse(after), count));

/** The days around which clocks change, in both directions: by an hour, by half an hour, at midnight; and never. */
const changes = [
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["Australia/Lord_Howe", "2026-10-03"],
  ["Australia/Lord_Howe", "2026-04-04"],
  ["America/Santiago", "2026-09-06"],
  ["America/Santiago", "2026-04-05"],
  ["Africa/Cairo", "2026-04-24"],
  ["Africa/Cairo", "2026-10-29"],
  ["Pacific/Chatham", "2026-09-26"],
  ["Pacific/Chatham", "2026-04-04"],
  ["Australia/Sydney", "2026-10-03"],
  ["Australia/Sydney", "2026-04-04"],
  ["Asia/Kolkata", "2026-03-29"],
  ["UTC", "2026-10-25"],
] as const;

test.each([
  ["30 2 * * * Europe/Berlin", "2026-03-28T12:00Z", ["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]],
  [
    "0,30 2 * * * Europe/Berlin",
    "2026-03-28T12:00Z",
    ["2026-03-29T01:00:00.000Z", "2026-03-30T00:00:00.000Z"],
  ],
  ["30 2 * * * Europe/Berlin", "2026-10-24T12:00Z", ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]],
  [
    "30 2 * * * America/New_York",
    "2026-03-08T00:00Z",
    ["2026-03-08T07:00:00.000Z", "2026-03-09T06:30:00.000Z"],
  ],
  [
    "30 1 * * * America/New_York",
    "2026-11-01T00:00Z",
    ["2026-11-01T05:30:00.000Z", "2026-11-02T06:30:00.000Z"],
  ],
  [
    "15 2 * * * Australia/Lord_Howe",
    "2026-10-03T00:00Z",
    ["2026-10-03T15:30:00.000Z", "2026-10-04T15:15:00.000Z"],
  ],
  [
    "45 1 * * * Australia/Lord_Howe",
    "2026-04-04T00:00Z",
    ["2026-04-04T14:45:00.000Z", "2026-04-05T15:15:00.000Z"],
  ],
  [
    "0 0 * * * America/Santiago",
    "2026-09-05T12:00Z",
    ["2026-09-06T04:00:00.000Z", "2026-09-07T03:00:00.000Z"],
  ],
  [
    "30 23 * * * America/Santiago",
    "2026-04-04T12:00Z",
    ["2026-04-05T02:30:00.000Z", "2026-04-06T03:30:00.000Z"],
  ],
  ["0 0 * * FRI Africa/Cairo", "2026-04-22T12:00Z", ["2026-04-23T22:00:00.000Z", "2026-04-30T21:00:00.000Z"]],
])("[J40] %s: a skipped time is due at the jump, a repeated time is due once", (text, after, slots) => {
  expect(due(text, after, 2)).toEqual(slots);
});

test("[J41] hourly: every time the clocks show, twice if shown twice, and none that they skip", () => {
  expect(due("30 * * * * Europe/Berlin", "2026-03-29T00:00Z", 3)).toEqual([
    "2026-03-29T00:30:00.000Z",
    "2026-03-29T01:30:00.000Z",
    "2026-03-29T02:30:00.000Z",
  ]);
  expect(due("*/30 * * * * Europe/Berlin", "2026-10-24T23:59Z", 6)).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => new Date(Date.parse("2026-10-25T00:00Z") + n * 1_800_000).toISOString()),
  );
  // The last half hour of that day is shown twice, and the next matching time is a year away.
  expect(due("45 * 4 4 * America/Santiago", "2026-04-05T02:50Z", 2)).toEqual([
    "2026-04-05T03:45:00.000Z",
    "2027-04-04T04:45:00.000Z",
  ]);
});

test("[J40] finds leap days, last days, and days that come once in a generation", () => {
  expect(due("0 0 29 2 *", "2095-01-01T00:00Z", 3)).toEqual([
    "2096-02-29T00:00:00.000Z",
    "2104-02-29T00:00:00.000Z",
    "2108-02-29T00:00:00.000Z",
  ]);
  expect(due("0 0 L 2 *", "2027-01-01T00:00Z", 2)).toEqual([
    "2027-02-28T00:00:00.000Z",
    "2028-02-29T00:00:00.000Z",
  ]);
  expect(due("0 0 * 2 MON#5", "2026-01-01T00:00Z", 2)).toEqual([
    "2044-02-29T00:00:00.000Z",
    "2072-02-29T00:00:00.000Z",
  ]);
});

test("[J42] an interval is elapsed time from its anchor, independent of clock changes; a time is due once", () => {
  const every = scheduleOf({ kind: "every", everyMs: 6 * HOUR, anchorAt: "2026-03-28T23:30:00Z" });
  expect(iso(nextSlots(every, Date.parse("2026-03-01T00:00Z"), 2))).toEqual([
    "2026-03-28T23:30:00.000Z",
    "2026-03-29T05:30:00.000Z",
  ]);
  expect(iso(nextSlots(every, Date.parse("2026-03-29T05:30:00Z"), 1))).toEqual(["2026-03-29T11:30:00.000Z"]);
  const { anchorAt: _, ...free } = { anchorAt: "", ...every };
  expect(nextSlots(free, 1_000, 3)).toEqual([1_000 + 6 * HOUR, 1_000 + 12 * HOUR, 1_000 + 18 * HOUR]);
  const once = scheduleOf("at 2026-12-01T09:00Z");
  expect(iso(nextSlots(once, Date.parse("2026-12-01T08:59:59.999Z"), 3))).toEqual([
    "2026-12-01T09:00:00.000Z",
  ]);
  expect(nextSlots(once, Date.parse("2026-12-01T09:00:00Z"), 3)).toEqual([]);
});

const some = (min: number, max: number) =>
  fc
    .array(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
    .map((values) => [...new Set(values)].toSorted((a, b) => a - b));
const perhaps = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });
const weekday = fc.record({
  day: fc.nat(7).map((day) => day % 7),
  nth: fc.option(fc.constantFrom<(number | "L")[]>(1, 2, 3, 4, 5, "L"), { nil: undefined }),
});
const anyCron: fc.Arbitrary<MeantCron> = fc.record({
  minutes: some(0, 59),
  // The hours in which clocks change, mostly.
  hours: perhaps(fc.oneof(some(0, 3), some(0, 23), fc.constant([22, 23]))),
  days: perhaps(fc.oneof(fc.constant<"L"[]>(["L"]), some(1, 28))),
  months: perhaps(some(1, 12)),
  weekdays: perhaps(
    fc
      .array(weekday, { minLength: 1, maxLength: 3 })
      .map((list) => list.map(({ day, nth }) => (nth === undefined ? { day } : { day, nth }))),
  ),
});

test.each(changes)("[J40] [J41] %s around %s: same as checking the clock every minute", (zone, day) => {
  const fromMs = Date.parse(`${day}T00:00:00Z`) - 14 * HOUR;
  const untilMs = fromMs + 52 * HOUR;
  const look = lookAtClocks(zone, fromMs, untilMs);
  const everyDay = anyCron.map(({ minutes, hours, weekdays }) => ({ minutes, hours, weekdays }));
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: everyDay }, anyCron), (meant) => {
      const schedule = scheduleOf(`${written(meant)} ${zone}`);
      const looked = look(meant);
      const found = nextSlots(schedule, fromMs - 1, looked.length + 1).filter((ms) => ms < untilMs);
      expect(iso(found)).toEqual(iso(looked));
      expect(countSlots(schedule, fromMs - 1, untilMs - 1)).toBe(looked.length);
    }),
    { numRuns: 15 },
  );
});

test("[J40] over years: same as checking the clock every minute", () => {
  const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo");
  const start = fc
    .integer({ min: 0, max: 3_650 })
    .map((days) => Date.parse("2024-01-01T00:00:00Z") + days * 24 * HOUR);
  fc.assert(
    fc.property(anyCron, zone, start, (meant, name, fromMs) => {
      const schedule = scheduleOf(`${written(meant)} ${name}`);
      const [slot] = nextSlots(schedule, fromMs - 1, 1);
      if (slot === undefined) throw new Error("it is never due");
      // Around each result, and around a moment at which nothing may be due.
      for (const lookMs of [slot - 3 * HOUR, fromMs]) {
        const untilMs = Math.min(lookMs + 6 * HOUR, lookMs === fromMs ? Infinity : slot + 3 * HOUR);
        const looked = lookAtClocks(name, lookMs, untilMs)(meant).filter((ms) => ms >= fromMs);
        const found = nextSlots(schedule, Math.max(lookMs, fromMs) - 1, looked.length + 1);
        expect(iso(found.filter((ms) => ms < untilMs))).toEqual(iso(looked));
      }
    }),
    { numRuns: 25 },
  );
});
