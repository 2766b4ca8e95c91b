import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createProgressFeed } from "./progress-feed.ts";

function setUp() {
  const clock = createFakeClock();
  const told: string[] = [];
  const feed = createProgressFeed(clock, (message) => void told.push(message));
  const step = (progress: number): void => feed.take({ progress, total: 9, message: `step ${progress}` });
  return { clock, told, feed, step };
}

test("[TM8] reports the first of a burst at once, and the last as soon as it can be read", async () => {
  const { clock, told, step } = setUp();
  for (const n of [1, 2, 3]) step(n);
  expect(told).toEqual(["step 1 (1 of 9)"]);
  await clock.advance(249);
  expect(told).toHaveLength(1);
  await clock.advance(1);
  expect(told).toEqual(["step 1 (1 of 9)", "step 3 (3 of 9)"]);
  step(4);
  expect(told).toHaveLength(2);
  await clock.advance(250);
  expect(told.at(-1)).toBe("step 4 (4 of 9)");
  await clock.advance(250);
  step(5);
  expect(told.at(-1)).toBe("step 5 (5 of 9)");
  expect(told).toHaveLength(4);
});

test("[TM8] reports pending progress when the call ends, and nothing after that", async () => {
  const { clock, told, feed, step } = setUp();
  for (const n of [1, 2, 3]) step(n);
  feed[Symbol.dispose]();
  expect(told).toEqual(["step 1 (1 of 9)", "step 3 (3 of 9)"]);
  expect(clock.sleepers).toBe(0);
  await clock.advance(1_000);
  step(4);
  expect(told).toHaveLength(2);
});

test("[TM8] works without a total or a message, with a limited length", () => {
  const { told, feed } = setUp();
  feed.take({ progress: 3 });
  feed.take({ progress: 4, message: "x".repeat(1_000) });
  feed[Symbol.dispose]();
  expect(told).toEqual(["3", "x".repeat(500)]);
});
