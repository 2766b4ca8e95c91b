import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createIdleTimer } from "./idle-timer.ts";

function setup() {
  const clock = createFakeClock();
  const told: number[] = [];
  const timer = createIdleTimer({
    clock,
    idleMs: 60_000,
    onIdle: () => told.push(clock.monotonicMs()),
  });
  return { clock, told, timer };
}

test("[K32] calls back once after the given time without use", async () => {
  const { clock, told, timer } = setup();
  await clock.advance(100_000);
  expect(told).toEqual([]);
  timer.restart();
  await clock.advance(59_999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([160_000]);
  await clock.advance(1_000_000);
  expect(told).toEqual([160_000]);
});

test("[K32] each use restarts the wait", async () => {
  const { clock, told, timer } = setup();
  for (let use = 0; use < 5; use++) {
    timer.restart();
    await clock.advance(59_999);
  }
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([299_996]);
});

test("[K32] after a stop, calls back only after the next use", async () => {
  const { clock, told, timer } = setup();
  timer.restart();
  timer.stop();
  await clock.advance(100_000);
  expect(told).toEqual([]);
  timer.restart();
  await clock.advance(60_000);
  expect(told).toEqual([160_000]);
});
