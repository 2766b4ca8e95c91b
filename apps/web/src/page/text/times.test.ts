import { expect, test } from "vitest";
import { quietTime, shortTimes } from "./times.ts";

test.each([
  ["2026-03-01T09:00:00Z", "2026-03-01T10:00:00Z", undefined],
  ["2026-03-01T09:00:00Z", "2026-03-01T10:20:00Z", "1 hour"],
  ["2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z", "24 hours"],
  ["2026-03-01T09:00:00Z", "2026-03-31T09:00:00Z", "30 days"],
])("[W51] from %s to %s nothing happened for %s: one short line, however long that is", (from, to, words) => {
  expect(quietTime(from, to)).toBe(words);
});

test("[W64] times of one minute say their seconds; those that differ anyway do not", () => {
  const now = Date.parse("2026-03-01T12:00:00");
  const said = (...clocks: string[]) =>
    shortTimes(
      clocks.map((clock) => new Date(`2026-03-01T${clock}`).toISOString()),
      now,
    ).map((text) => text.replaceAll("\u202F", " "));
  expect(said("19:58:10", "19:58:40", "19:59:10")).toEqual(["7:58:10 PM", "7:58:40 PM", "7:59:10 PM"]);
  expect(said("19:58:10", "19:59:10")).toEqual(["7:58 PM", "7:59 PM"]);
  expect(said("19:58:10", "19:58:10")).toEqual(["7:58 PM", "7:58 PM"]);
  expect(said()).toEqual([]);
});
