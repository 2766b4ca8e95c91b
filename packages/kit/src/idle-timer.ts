import type { Clock } from "./clock.ts";

/** Calls back when something has not been used for a while, so that its resources can be released. */
export interface IdleTimer {
  /** Call this on each use: the wait starts again. */
  restart(): void;
  /** Stops the wait, because it is in use or gone. No callback comes until the next `restart`. */
  stop(): void;
}

/** The same for all: each use would otherwise make an error of its own, with its stack. */
const IN_USE = new DOMException("It is in use", "AbortError");

export function createIdleTimer(deps: {
  /** The clock's sleeps should not keep an idle process alive. */
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
      waiting.abort(IN_USE);
      waiting = new AbortController();
      void wait(waiting.signal);
    },
    stop() {
      waiting.abort(IN_USE);
    },
  };
}
