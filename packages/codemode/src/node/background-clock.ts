import { setTimeout } from "node:timers/promises";
import { abortReason, type Clock, createSystemClock } from "@deputy/kit";

/** A longer timer fires at once, so longer sleeps consist of several. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The system's clock, for waits that must not keep an idle process alive. */
export function createBackgroundClock(): Clock {
  return {
    ...createSystemClock(),
    async sleep(ms, signal) {
      try {
        let left = ms > 0 ? ms : 0;
        for (; left > LONGEST_TIMER_MS; left -= LONGEST_TIMER_MS) await nap(LONGEST_TIMER_MS, signal);
        await nap(left, signal);
      } catch {
        throw abortReason(signal);
      }
    },
  };
}

const nap = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal, ref: false });
