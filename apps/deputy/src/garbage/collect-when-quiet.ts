import type { Clock } from "@deputy/kit";

/** How often it looks. */
export const LOOK_MS = 60_000;

/** When it looks first: a start is work, too, and leaves several MB. */
export const FIRST_LOOK_MS = 2_000;

/** CPU time between two looks below which the process is idle: timers, a page that stays open. */
export const QUIET_CPU_MS = 300;

/**
 * After the process has started or worked and is quiet again, frees the memory of that work, once. V8 collects only
 * when something allocates, so the garbage of a daemon's last turn would stay until the next request. Rejects when
 * `signal` aborts, or as `collect` does.
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
  let hasWorked = true;
  let seenMs = deps.cpuMs();
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = LOOK_MS) {
    await deps.clock.sleep(waitMs, signal);
    const isQuiet = deps.cpuMs() - seenMs < QUIET_CPU_MS;
    if (isQuiet && hasWorked) await deps.collect();
    hasWorked = !isQuiet;
    seenMs = deps.cpuMs(); // The collection itself does not count as work.
  }
}
