import { afterEach, expect, test, vi } from "vitest";
import { createSystemClock } from "./clock.ts";

const LONGEST_TIMER_MS = 2_147_483_647;

function setup() {
  vi.useFakeTimers();
  const stop = new AbortController();
  const clock = createSystemClock();
  const outcome = { settled: "no" };
  const sleep = (ms: number): Promise<void> => {
    const sleeping = clock.sleep(ms, stop.signal);
    sleeping.then(
      () => (outcome.settled = "resolved"),
      () => (outcome.settled = "rejected"),
    );
    return sleeping;
  };
  return { clock, stop, sleep, outcome };
}

afterEach(() => void vi.useRealTimers());

test("[K4] sleeps as long as asked", async () => {
  const { sleep, outcome } = setup();
  const sleeping = sleep(1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome.settled).toBe("no");
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  expect(vi.getTimerCount()).toBe(0);
});

test.each([0, -5, Number.NaN, Number.NEGATIVE_INFINITY])("[K4] sleep(%d) ends at once", async (ms) => {
  const { sleep } = setup();
  const sleeping = sleep(ms);
  await vi.advanceTimersByTimeAsync(0);
  await sleeping;
});

test("[K4] sleeps the full time even beyond the timer's range", async () => {
  const { sleep, outcome } = setup();
  const sleeping = sleep(2 * LONGEST_TIMER_MS + 10);
  await vi.advanceTimersByTimeAsync(2 * LONGEST_TIMER_MS + 9);
  expect(outcome.settled).toBe("no");
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
});

test("[K5] an abort ends the sleep at once, with the reason and without a timer", async () => {
  const { sleep, stop } = setup();
  const sleeping = sleep(Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(LONGEST_TIMER_MS + 5);
  const reason = new Error("shutdown");
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test("[K5] an aborted signal starts no sleep", async () => {
  const { clock } = setup();
  await expect(clock.sleep(0, AbortSignal.abort("stop"))).rejects.toMatchObject({ name: "AbortError" });
  expect(vi.getTimerCount()).toBe(0);
});

test("[K5] a finished sleep leaves no listener behind", async () => {
  const { sleep, stop } = setup();
  const added = vi.spyOn(stop.signal, "addEventListener");
  const removed = vi.spyOn(stop.signal, "removeEventListener");
  const sleeping = sleep(5);
  await vi.advanceTimersByTimeAsync(5);
  await sleeping;
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
    added.mock.calls.map(([, listener]) => listener),
  );
});

test("[K6] wall clock and monotonic clock", () => {
  const clock = createSystemClock();
  const before = Date.now();
  expect(clock.now()).toBeGreaterThanOrEqual(before);
  expect(clock.now()).toBeLessThanOrEqual(Date.now());
  const readings = Array.from({ length: 1_000 }, () => clock.monotonicMs());
  expect(readings).toEqual(readings.toSorted((a, b) => a - b));
});
