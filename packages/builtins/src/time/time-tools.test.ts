import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCatalogue } from "@deputy/tools";
import { addSpan, distanceOf, momentOf, readMoment } from "./moment.ts";
import { timeTools } from "./time-tools.ts";

const NOW = Date.parse("2026-11-17T22:30:00Z");
const catalogue = createCatalogue([
  {
    source: "test",
    tree: { time: timeTools({ now: () => NOW, zone: () => "Europe/Vienna", language: "de" }) },
  },
]);
const context = { signal: new AbortController().signal } as never;

async function call(name: string, input: object): Promise<unknown> {
  const tool = catalogue.get(`time.${name}`);
  const parsed = await tool?.parseInput(input);
  if (parsed?.kind !== "ok") return parsed;
  return await tool?.run(parsed.input, context);
}

test("[TD20] now is a date, a weekday and a week of the user's zone, or another one", async () => {
  expect(await call("now", {})).toEqual({
    iso: "2026-11-17T23:30:00+01:00",
    utc: "2026-11-17T22:30:00.000Z",
    date: "2026-11-17",
    time: "23:30:00",
    weekday: "Tuesday",
    week: 47,
    zone: "Europe/Vienna",
    epochMs: NOW,
  });
  expect(await call("now", { zone: "Asia/Tokyo" })).toMatchObject({
    date: "2026-11-18",
    weekday: "Wednesday",
  });
});

test.each([
  ["2026-07-01T09:00", "America/New_York", "Europe/Vienna", "2026-07-01T15:00:00+02:00"],
  ["2026-11-18", undefined, "UTC", "2026-11-17T23:00:00+00:00"],
  ["2026-11-18T10:00:00.5+05:30", undefined, "UTC", "2026-11-18T04:30:00+00:00"],
  ["2026-11-18 10:00Z", "Asia/Tokyo", undefined, "2026-11-18T11:00:00+01:00"],
  // Clocks skip this hour, and read that one twice.
  ["2026-03-29T02:30", "Europe/Vienna", "Europe/Vienna", "2026-03-29T03:00:00+02:00"],
  ["2026-10-25T02:30", "Europe/Vienna", "UTC", "2026-10-25T00:30:00+00:00"],
])("[TD20] %s in %s is in %s %s", async (at, from, to, iso) => {
  const zones = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  expect(await call("convert", { at, ...zones })).toMatchObject({ iso });
});

test.each([
  ["2026-01-31T12:00", { months: 1 }, "2026-02-28T12:00:00+01:00"],
  ["2028-02-29", { years: 1 }, "2029-02-28T00:00:00+01:00"],
  ["2026-03-28T09:00", { days: 1 }, "2026-03-29T09:00:00+02:00"],
  ["2026-03-28T09:00", { hours: 24 }, "2026-03-29T10:00:00+02:00"],
  ["now", { weeks: -1, minutes: 30 }, "2026-11-11T00:00:00+01:00"],
  ["2026-12-31", { months: -13, days: 1 }, "2025-12-01T00:00:00+01:00"],
])("[TD20] %s and %j is %s", async (at, span, iso) => {
  expect(await call("add", { at, ...span })).toMatchObject({ iso });
});

test("[TD20] the distance between two times is said in every unit", async () => {
  expect(await call("between", { from: "2026-11-17T23:00", to: "2026-11-18T01:00" })).toEqual({
    seconds: 7_200,
    minutes: 120,
    hours: 2,
    calendarDays: 1,
    weeks: 0,
    months: 0,
    years: 0,
  });
  expect(await call("between", { from: "2026-11-18", to: "2020-02-29" })).toMatchObject({
    months: -80,
    years: -6,
    calendarDays: -2_454,
  });
});

test.each([
  ["German", "Mittwoch"],
  ["deutsch", "Mittwoch"],
  ["de-AT", "Mittwoch"],
  ["French", "mercredi"],
  ["Klingon or so", "Wednesday"],
])("[TD27] the user's language may be a tag or a name: %s", async (language, weekday) => {
  const tree = { time: timeTools({ now: () => NOW, zone: () => "Europe/Vienna", language }) };
  const tool = createCatalogue([{ source: "builtins", tree }]).get("time.format");
  const parsed = await tool?.parseInput({ at: "2026-11-18T09:00", time: "none" });
  if (parsed?.kind !== "ok") throw new Error("The input is valid");
  expect(await tool?.run(parsed.input, context)).toContain(weekday);
});

test("[TD20] a time is written as people of a language do, in the user's if none is named", async () => {
  const at = "2026-11-18T09:00";
  expect(await call("format", { at, language: "en-US" })).toBe("Wednesday, November 18, 2026 at 9:00 AM");
  expect(await call("format", { at })).toBe("Mittwoch, 18. November 2026 um 09:00");
  expect(await call("format", { at, language: "fr", time: "none", date: "long" })).toBe("18 novembre 2026");
});

test.each([
  ["convert", { at: "2026-02-30" }],
  ["convert", { at: "tomorrow" }],
  ["convert", { at: "2026-13-01" }],
  ["convert", { at: "2026-11-18T25:00" }],
  ["now", { zone: "Vienna" }],
  ["now", { zone: "+02:00" }],
  ["format", { at: "now", language: "x".repeat(30) }],
  ["add", { at: "2026-01-01", years: 20_000 }],
  ["add", { at: "2026-01-01", days: 0.5 }],
])("[TD20] %s of %j is refused before it runs", async (name, input) => {
  expect(await call(name, input)).toMatchObject({ kind: "invalid" });
});

const ZONES = [
  "Europe/Vienna",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "UTC",
];

test("[TD20] in any zone: what is written is read as the same moment, and what is added is counted", () => {
  const ms = fc.integer({ min: Date.UTC(1975, 0, 1) / 1_000, max: Date.UTC(2090, 0, 1) / 1_000 });
  fc.assert(
    fc.property(ms, fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 400 }), (seconds, zone, count) => {
      const at = seconds * 1_000;
      expect(readMoment(momentOf(at, zone).iso, "Asia/Tokyo", 0)).toBe(at);
      expect(distanceOf(at, addSpan(at, { days: count }, zone), zone).calendarDays).toBe(count);
      // Whoever was born on the last day of a month has had the month by the last day of the next.
      expect(distanceOf(at, addSpan(at, { months: count }, "UTC"), "UTC").months).toBe(count);
    }),
    { numRuns: 300, seed: 20 },
  );
});
