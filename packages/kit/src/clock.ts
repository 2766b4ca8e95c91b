import { abortReason } from "./coded-error.ts";

export interface Clock {
  /** Milliseconds since the epoch; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  monotonicMs(): number;
  /** Resolves after `ms`, at once if that is not a positive number; an abort rejects at once with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** `setTimeout` fires at once beyond this; longer sleeps are made of several. */
const LONGEST_TIMER_MS = 2_147_483_647;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
      let left = ms;
      for (; left > LONGEST_TIMER_MS; left -= LONGEST_TIMER_MS) await sleepOnce(LONGEST_TIMER_MS, signal);
      await sleepOnce(left > 0 ? left : 0, signal);
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
