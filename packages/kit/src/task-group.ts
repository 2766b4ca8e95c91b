import { abortReason, throwIfAborted } from "./coded-error.ts";

/**
 * Child operations that end together. The first failure aborts the rest. Closing the group aborts them and
 * waits until they have settled. Closing does not throw: a failure is reported only by `join`.
 */
export interface TaskGroup extends AsyncDisposable {
  /** Aborted when the parent aborts, a child fails, or the group closes. */
  readonly signal: AbortSignal;
  /** Throws the reason if the group is already aborted; the child's rejection is reported by `join`. */
  spawn(task: (signal: AbortSignal) => Promise<void>): void;
  /** Resolves when every child has settled; rejects with the first failure, or the parent's abort. */
  join(): Promise<void>;
}

export function openTaskGroup(parent: AbortSignal): TaskGroup {
  const own = new AbortController();
  const { signal } = own;
  // Not AbortSignal.any: Node looks up its reason when first asked, so a later abort can pass for the cause.
  const follow = (): void => own.abort(abortReason(parent));
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true, signal });
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  const fail = (error: unknown): void => {
    // After an abort, children reject with the abort's reason; only the first error counts.
    if (failure !== undefined || signal.aborted) return;
    failure = { error };
    own.abort(error);
  };

  const settle = async (): Promise<void> => {
    while (running.size > 0) await Promise.allSettled(running);
  };

  /** Async, so that a child that throws before its first await counts as failed too. */
  const start = async (task: (signal: AbortSignal) => Promise<void>): Promise<void> => task(signal);

  return {
    signal,
    spawn(task) {
      throwIfAborted(signal);
      const child = start(task)
        .catch(fail)
        .finally(() => running.delete(child));
      running.add(child);
    },
    async join() {
      await settle();
      if (failure !== undefined) throw failure.error;
      throwIfAborted(parent);
    },
    async [Symbol.asyncDispose]() {
      own.abort(new DOMException("Task group closed", "AbortError"));
      await settle();
    },
  };
}

/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it aborts. The promise's outcome
 * after that is ignored, even if the signal had aborted before.
 */
export function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortReason(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const settled = (): void => signal.removeEventListener("abort", stop);
    promise.finally(settled).then(resolve, reject);
  });
}
