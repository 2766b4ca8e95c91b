import { expect, test } from "vitest";
import { describeClock } from "./clock-conformance.ts";
import { createFakeClock } from "./fake-clock.ts";

describeClock("the fake clock", () => {
  const clock = createFakeClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});

const live = new AbortController().signal;

test("time stands still until it is advanced", async () => {
  const clock = createFakeClock({ startMs: 1_000 });
  expect([clock.now(), clock.monotonicMs()]).toEqual([1_000, 0]);
  void clock.advance(5);
  expect([clock.now(), clock.monotonicMs()]).toEqual([1_005, 5]);
});

test("sleepers wake at their own time and in order, and may sleep again", async () => {
  const clock = createFakeClock({ startMs: 0 });
  const woke: string[] = [];
  const sleeper = async (name: string, ...naps: readonly number[]): Promise<void> => {
    for (const ms of naps) {
      await clock.sleep(ms, live);
      woke.push(`${name} at ${clock.now()}`);
    }
  };
  void sleeper("a", 30);
  void sleeper("b", 10, 10, 10, 100);
  await clock.advance(35);
  expect(woke).toEqual(["b at 10", "b at 20", "a at 30", "b at 30"]);
  expect([clock.now(), clock.sleepers]).toEqual([35, 1]);
});

test("an invalid sleep ends at once, an aborted one rejects with the reason", async () => {
  const clock = createFakeClock();
  await clock.sleep(0, live);
  await clock.sleep(Number.NaN, live);
  const stop = new AbortController();
  const asleep = clock.sleep(10, stop.signal);
  stop.abort(new Error("enough"));
  await expect(asleep).rejects.toThrow("enough");
  await expect(clock.sleep(10, stop.signal)).rejects.toThrow("enough");
  expect(clock.sleepers).toBe(0);
});

test("setting the wall clock wakes nobody and does not change durations", async () => {
  const clock = createFakeClock({ startMs: 0 });
  void clock.sleep(10, live);
  clock.setWall(1_000_000);
  expect([clock.now(), clock.monotonicMs(), clock.sleepers]).toEqual([1_000_000, 0, 1]);
});
