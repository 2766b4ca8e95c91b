import { expect, onTestFinished, test, vi } from "vitest";
import { localDay, localMinute, localStamp } from "./local-time.ts";

test.each([
  ["Asia/Tokyo", "2026-11-18T05:30:00+09:00"],
  ["America/New_York", "2026-11-17T15:30:00-05:00"],
  ["UTC", "2026-11-17T20:30:00+00:00"],
])("in %s a moment is shown as %s, and shorter where only a part of it is asked for", (zone, shown) => {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(localStamp("2026-11-17T20:30:00Z")).toBe(shown);
  expect(localStamp(Date.parse("2026-11-17T20:30:00Z"))).toBe(shown);
  expect(localMinute("2026-11-17T20:30:00Z")).toBe(shown.slice(0, 16).replace("T", " "));
  expect(localDay("2026-11-17T20:30:00Z")).toBe(shown.slice(0, 10));
});
