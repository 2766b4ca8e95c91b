import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWatchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup(limitMs = 1_000, usedMs = 0) {
  const onSilence = vi.fn();
  const late: (() => void)[] = [];
  let computingMs = Number.POSITIVE_INFINITY;
  const link = {
    afterMessages: (check: () => void) => void late.push(check),
    computingMs: async () => computingMs,
  };
  const watchdog = createWatchdog(link, limitMs, usedMs, onSilence);
  const flush = async (): Promise<void> => {
    for (const check of late.splice(0)) check();
    await vi.advanceTimersByTimeAsync(0);
  };
  const compute = (ms: number): void => {
    computingMs = ms;
  };
  return { watchdog, onSilence, flush, compute };
}

test("[C39] gives up on a worker that does not answer in time", async () => {
  const { watchdog, onSilence, flush } = setup();
  watchdog.asked();
  vi.advanceTimersByTime(1_200);
  await flush();
  expect(onSilence).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  await flush();
  expect(onSilence).toHaveBeenCalledOnce();
});

test("[C39] earlier computing counts; waiting does not", async () => {
  const { watchdog, onSilence, flush } = setup();
  watchdog.asked();
  watchdog.answered(900);
  vi.advanceTimersByTime(100_000);
  await flush();
  expect(onSilence).not.toHaveBeenCalled();
  watchdog.asked();
  vi.advanceTimersByTime(400);
  await flush();
  expect(onSilence).toHaveBeenCalledOnce();
});

test("[C39] an unread answer, or the end, prevents giving up", async () => {
  const { watchdog, onSilence, flush } = setup();
  watchdog.asked();
  vi.advanceTimersByTime(2_000);
  watchdog.answered(10);
  await flush();
  watchdog.asked();
  watchdog.stop();
  vi.advanceTimersByTime(5_000);
  await flush();
  expect(onSilence).not.toHaveBeenCalled();
});

test("[C39] does not give up on a worker that a busy machine gave no time", async () => {
  const { watchdog, onSilence, flush, compute } = setup();
  compute(300);
  watchdog.asked();
  vi.advanceTimersByTime(1_300);
  await flush();
  expect(onSilence).not.toHaveBeenCalled();
  compute(1_000);
  vi.advanceTimersByTime(1_000);
  await flush();
  expect(onSilence).toHaveBeenCalledOnce();
});
