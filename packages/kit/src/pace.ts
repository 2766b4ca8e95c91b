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
  /** Resolves once nothing more important has gone on for a while. Rejects with the signal's reason on abort. */
  quiet(signal: AbortSignal): Promise<void>;
}

/** So much may be done in one go: what is short never waits. */
const BURST_MS = 100;
/** Pauses of the more important work that are shorter than this do not count: its next step may follow at once. */
const QUIET_MS = 1_000;
/** How often a wait looks whether it is still needed. */
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
  let busyAtMs = Number.NEGATIVE_INFINITY;

  /** True if the share counts now. */
  const look = (): boolean => {
    const nowMs = clock.monotonicMs();
    if (isBusy()) busyAtMs = nowMs;
    const counts = nowMs - busyAtMs < QUIET_MS;
    leftMs = counts ? Math.min(BURST_MS, leftMs + (nowMs - atMs) * share) : BURST_MS;
    atMs = nowMs;
    return counts;
  };
  return {
    async ready(signal, isUrgent) {
      for (;;) {
        signal.throwIfAborted();
        if (!look() || leftMs > 0 || isUrgent?.() === true) return;
        await clock.sleep(Math.min(STEP_MS, Math.max(1, -leftMs / share)), signal);
      }
    },
    async count(work) {
      const beganMs = clock.monotonicMs();
      try {
        return await work();
      } finally {
        if (look()) leftMs = Math.max(-MOST_OWED_MS, leftMs - (clock.monotonicMs() - beganMs));
      }
    },
    async quiet(signal) {
      look();
      do await clock.sleep(QUIET_MS, signal);
      while (look());
    },
  };
}
