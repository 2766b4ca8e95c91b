import type { Clock } from "@deputy/kit";

/** Limits how long a call may be silent. */
export interface Patience extends Disposable {
  /** Aborted with the reason after too long a silence. */
  readonly signal: AbortSignal;
  /** The server has answered: the time starts again. */
  renew(): void;
  /** No time passes while it waits for someone else. */
  pause<T>(wait: () => Promise<T>): Promise<T>;
}

export function createPatience(clock: Pick<Clock, "sleep">, silentMs: number, reason: Error): Patience {
  const over = new AbortController();
  let timer = new AbortController();
  let paused = 0;
  const begin = (): void => {
    timer.abort();
    timer = new AbortController();
    if (paused > 0) return;
    clock.sleep(silentMs, timer.signal).then(
      () => over.abort(reason),
      () => undefined,
    );
  };
  begin();
  return {
    signal: over.signal,
    renew: begin,
    async pause(wait) {
      paused += 1;
      begin();
      try {
        return await wait();
      } finally {
        paused -= 1;
        begin();
      }
    },
    [Symbol.dispose]() {
      paused = Infinity;
      timer.abort();
    },
  };
}
