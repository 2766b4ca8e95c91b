import { expect, test } from "vitest";
import { quietTime } from "./times.ts";

test.each([
  ["2026-03-01T09:00:00Z", "2026-03-01T10:00:00Z", undefined],
  ["2026-03-01T09:00:00Z", "2026-03-01T10:20:00Z", "1 hour"],
  ["2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z", "24 hours"],
  ["2026-03-01T09:00:00Z", "2026-03-31T09:00:00Z", "30 days"],
])("[W51] from %s to %s nothing happened for %s: one short line, however long that is", (from, to, words) => {
  expect(quietTime(from, to)).toBe(words);
});
