import type { Clock } from "@deputy/kit";

/** Aborts `graceMs` after the given signal did; never once it is disposed. */
export interface GraceSignal extends Disposable {
  readonly signal: AbortSignal;
}

export function openGraceSignal(clock: Clock, signal: AbortSignal, graceMs: number): GraceSignal {
  const over = new AbortController();
  const disposed = new AbortController();
  const wait = (): void => {
    clock.sleep(graceMs, disposed.signal).then(
      () => over.abort(signal.reason),
      () => undefined,
    );
  };
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return {
    signal: over.signal,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", wait);
      disposed.abort();
    },
  };
}
