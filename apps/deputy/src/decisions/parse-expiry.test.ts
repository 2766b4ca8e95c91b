import { expect, test } from "vitest";
import { parseExpiry } from "../commands/tasks/approvals.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  ["30m", "2026-03-01T12:30:00.000Z"],
  ["7d", "2026-03-08T12:00:00.000Z"],
  ["2026-03-01T12:00:01Z", "2026-03-01T12:00:01.000Z"],
  ["2026-03-01T14:00+01:00", "2026-03-01T13:00:00.000Z"],
])("%s from noon is %s", (text, at) => {
  expect(parseExpiry(text, NOW)).toBe(at);
});

test.each(["0m", "30", "30s", "-1h", "2026-03-01T11:59Z", "2026-03-02", "2026-03-02T12:00", "tomorrow", ""])(
  "%j is not a time in the future",
  (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow(expect.objectContaining({ code: "usage" }));
  },
);
