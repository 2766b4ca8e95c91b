import { expect, test } from "vitest";
import { activeHours } from "./active-hours.ts";

test.each([
  ["8-21", "UTC", "2026-01-02T08:00:00Z", true],
  ["8-21", "UTC", "2026-01-02T07:59:59Z", false],
  ["8-21", "UTC", "2026-01-02T20:59:59Z", true],
  ["8-21", "UTC", "2026-01-02T21:00:00Z", false],
  ["8-21", "Europe/Vienna", "2026-01-02T07:00:00Z", true],
  ["8-21", "Europe/Vienna", "2026-07-02T06:00:00Z", true],
  ["08:30-21:15", "UTC", "2026-01-02T08:29:00Z", false],
  ["08:30-21:15", "UTC", "2026-01-02T21:14:00Z", true],
  ["22-6", "UTC", "2026-01-02T23:00:00Z", true],
  ["22-6", "UTC", "2026-01-02T05:59:00Z", true],
  ["22-6", "UTC", "2026-01-02T12:00:00Z", false],
  ["0-24", "UTC", "2026-01-02T23:59:59Z", true],
  ["0-0", "UTC", "2026-01-02T12:00:00Z", true],
])("[J98] %s in %s, at %s: %s", (hours, zone, at, isActive) => {
  expect(activeHours(hours, zone).has(Date.parse(at))).toBe(isActive);
});
