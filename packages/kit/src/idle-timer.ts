import type { Clock } from "./clock.ts";

/** Tells when something has not been used for a while, so that what it holds can be given back. */
export interface IdleTimer {
  /** It was used just now: the wait begins anew. */
  restart(): void;
  /** It is in use, or gone: nothing is told until the next `restart`. */
  stop(): void;
}

export function createIdleTimer(deps: {
  /** Its sleeps should not keep an idle process alive. */
  readonly clock: Clock;
  readonly idleMs: number;
  readonly onIdle: () => void;
}): IdleTimer {
  let waiting = new AbortController();
  const wait = async (signal: AbortSignal): Promise<void> => {
    try {
      await deps.clock.sleep(deps.idleMs, signal);
    } catch {
      return; // It was used, or stopped.
    }
    if (!signal.aborted) deps.onIdle();
  };
  return {
    restart() {
      waiting.abort();
      waiting = new AbortController();
      void wait(waiting.signal);
    },
    stop() {
      waiting.abort();
    },
  };
}
