import { expect, test } from "vitest";
import { parseTime } from "./parse-time.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");

test.each([
  ["2026-03-01", "2026-03-01T00:00:00.000Z"],
  ["2026-03-01T12:30Z", "2026-03-01T12:30:00.000Z"],
  ["2026-03-01T12:30:15.5+02:00", "2026-03-01T10:30:15.500Z"],
  ["90m", "2026-03-10T10:30:00.000Z"],
  ["2h", "2026-03-10T10:00:00.000Z"],
  ["7d", "2026-03-03T12:00:00.000Z"],
  ["1w", "2026-03-03T12:00:00.000Z"],
])("accepts a day, a moment, or how long ago: %s", (text, at) => {
  expect(new Date(parseTime(text, NOW)).toISOString()).toBe(at);
});

test.each(["", "yesterday", "2026-13-01", "1", "5 m", "-2h", "2026"])("rejects as a time: %j", (text) => {
  expect(() => parseTime(text, NOW)).toThrow(expect.objectContaining({ code: "usage" }));
});
