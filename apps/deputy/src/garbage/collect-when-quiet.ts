import type { Clock } from "@deputy/kit";

/** How often it looks. */
export const LOOK_MS = 60_000;

/** CPU time between two looks below which nothing is going on: timers, a page that stays open. */
export const QUIET_CPU_MS = 300;

/**
 * Once the process has worked and is quiet again, has it give back what the work took, once: V8 collects when
 * something allocates, so what a daemon's last turn left behind would stay for as long as nobody asks for
 * another. Rejects when `signal` aborts, or as `collect` does.
 */
export async function collectWhenQuiet(
  deps: {
    readonly clock: Pick<Clock, "sleep">;
    /** CPU time that the process has used so far. */
    readonly cpuMs: () => number;
    readonly collect: () => Promise<void>;
  },
  signal: AbortSignal,
): Promise<never> {
  let hasWorked = false;
  let seenMs = deps.cpuMs();
  for (;;) {
    await deps.clock.sleep(LOOK_MS, signal);
    const isQuiet = deps.cpuMs() - seenMs < QUIET_CPU_MS;
    if (isQuiet && hasWorked) await deps.collect();
    hasWorked = !isQuiet;
    seenMs = deps.cpuMs(); // The collecting itself is no work.
  }
}
