import { type Clock, isAbort } from "@deputy/kit";

/** Longer than everything that a shutdown waits for: requests, sockets, tools that do not stop. */
export const SHUTDOWN_MS = 20_000;

/**
 * Ends the process if it has not stopped in time, until disposed. The log is safe at any moment: the next
 * start continues as after a crash.
 */
export function openShutdownDeadline(deps: {
  /** Aborted when it is to stop. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "sleep">;
  readonly end: () => void;
}): Disposable {
  const { signal, clock, end } = deps;
  const over = new AbortController();
  const count = (): void => {
    clock.sleep(SHUTDOWN_MS, over.signal).then(end, (error: unknown) => {
      if (!isAbort(error)) throw error;
    });
  };
  if (signal.aborted) count();
  else signal.addEventListener("abort", count, { once: true });
  return {
    [Symbol.dispose]() {
      signal.removeEventListener("abort", count);
      over.abort();
    },
  };
}
