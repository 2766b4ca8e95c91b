import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { openDemoClock } from "./demo-clock.ts";
import { createSwitchableClock } from "./switchable-clock.ts";

const DAY = 86_400_000;

test("a sleep that goes on follows a new speed, and time never goes back", async () => {
  const home = mkdtempSync(join(tmpdir(), "switchable-clock-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const clock = createFakeClock();
  const demo = createSwitchableClock((speed) => openDemoClock({ home, clock, speed }), undefined);
  const startMs = demo.clock.now();
  let isAwake = false;
  const sleeping = demo.clock.sleep(DAY, new AbortController().signal).then(() => (isAwake = true));
  await clock.advance(1_000);
  demo.setSpeed(1_000);
  expect(demo.speed).toBe(1_000);
  await clock.advance(86_000);
  expect(isAwake).toBe(false);
  await clock.advance(400);
  await sleeping;
  const fastMs = demo.clock.now();
  expect(fastMs).toBeGreaterThanOrEqual(startMs + DAY);
  demo.setSpeed(1);
  await clock.advance(500);
  expect(demo.clock.now() - fastMs).toBe(500);
});
