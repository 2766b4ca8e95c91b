import type { Clock } from "./clock.ts";

/** Keeps work in the background small while something more important goes on. */
export interface Pace {
  /**
   * Resolves when the next piece of work may begin: at once while nothing more important goes on or `isUrgent` says
   * so, and until the share is used up. Rejects with the signal's reason on abort.
   */
  ready(signal: AbortSignal, isUrgent?: () => boolean): Promise<void>;
  /** Does a piece of work and counts its time. Settles as the work does. */
  count<T>(work: () => Promise<T>): Promise<T>;
}

/** So much may be done in one go: what is short never waits. */
const BURST_MS = 100;
/** So long after the more important work has ended, at most, does a wait end. */
const STEP_MS = 100;
/** One piece that took long (the machine slept, a model was loaded) does not stop everything for hours. */
const MOST_OWED_MS = 6_000;

/**
 * While `isBusy`, the work that is counted takes at most `share` of the time, however many threads it has and however
 * slow the machine is: it is counted by the clock, so that it yields more on a machine with much to do.
 */
export function createPace(deps: {
  readonly clock: Clock;
  readonly isBusy: () => boolean;
  readonly share: number;
}): Pace {
  const { clock, isBusy, share } = deps;
  let leftMs = BURST_MS;
  let atMs = clock.monotonicMs();

  const refill = (): void => {
    const nowMs = clock.monotonicMs();
    leftMs = isBusy() ? Math.min(BURST_MS, leftMs + (nowMs - atMs) * share) : BURST_MS;
    atMs = nowMs;
  };
  return {
    async ready(signal, isUrgent) {
      for (;;) {
        signal.throwIfAborted();
        refill();
        if (leftMs > 0 || isUrgent?.() === true) return;
        await clock.sleep(Math.min(STEP_MS, Math.max(1, -leftMs / share)), signal);
      }
    },
    async count(work) {
      const beganMs = clock.monotonicMs();
      try {
        return await work();
      } finally {
        refill();
        leftMs = Math.max(-MOST_OWED_MS, leftMs - (clock.monotonicMs() - beganMs));
      }
    },
  };
}
