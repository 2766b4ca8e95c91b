import { abortReason } from "./coded-error.ts";

export interface Clock {
  /** Milliseconds since the epoch; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason at once when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** `setTimeout` fires at once beyond this; longer sleeps are made of several. */
const LONGEST_TIMER_MS = 2_147_483_647;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
      for (let left = ms; ; left -= LONGEST_TIMER_MS) {
        await sleepOnce(Math.max(0, Math.min(left, LONGEST_TIMER_MS)), signal);
        if (left <= LONGEST_TIMER_MS) return;
      }
    },
  };
}

function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
