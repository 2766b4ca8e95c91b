import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWatchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup(limitMs = 1_000) {
  const onSilence = vi.fn();
  const late: (() => void)[] = [];
  const watchdog = createWatchdog({ afterMessages: (check) => void late.push(check) }, limitMs, onSilence);
  const flush = (): void => {
    for (const check of late.splice(0)) check();
  };
  return { watchdog, onSilence, flush };
}

test("[C39] a worker that does not answer in its time is given up", () => {
  const { watchdog, onSilence, flush } = setup();
  watchdog.asked();
  vi.advanceTimersByTime(1_200);
  flush();
  expect(onSilence).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  flush();
  expect(onSilence).toHaveBeenCalledOnce();
});

test("[C39] what it has computed before counts; waiting does not", () => {
  const { watchdog, onSilence, flush } = setup();
  watchdog.asked();
  watchdog.answered(900);
  vi.advanceTimersByTime(100_000);
  flush();
  expect(onSilence).not.toHaveBeenCalled();
  watchdog.asked();
  vi.advanceTimersByTime(400);
  flush();
  expect(onSilence).toHaveBeenCalledOnce();
});

test("[C39] an answer that was only waiting to be read, or the end, saves it", () => {
  const { watchdog, onSilence, flush } = setup();
  watchdog.asked();
  vi.advanceTimersByTime(2_000);
  watchdog.answered(10);
  flush();
  watchdog.asked();
  watchdog.stop();
  vi.advanceTimersByTime(5_000);
  flush();
  expect(onSilence).not.toHaveBeenCalled();
});
