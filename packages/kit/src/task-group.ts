/** Children that live and die together. The first failure aborts the rest. */
export interface TaskGroup extends AsyncDisposable {
  /** Aborted when the parent aborts, a child fails, or the group closes. */
  readonly signal: AbortSignal;
  /** Throws if the group is already aborted; the child's rejection is reported by `join`. */
  spawn(task: (signal: AbortSignal) => Promise<void>): void;
  /** Resolves when every child has settled; rejects with the first failure, or the parent's abort. */
  join(): Promise<void>;
}

export function openTaskGroup(parent: AbortSignal): TaskGroup {
  const own = new AbortController();
  const signal = AbortSignal.any([parent, own.signal]);
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  const fail = (error: unknown): void => {
    // After an abort, children reject with the abort's reason; only its cause counts.
    if (failure !== undefined || signal.aborted) return;
    failure = { error };
    own.abort(error);
  };

  const settle = async (): Promise<void> => {
    while (running.size > 0) await Promise.allSettled(running);
  };

  return {
    signal,
    spawn(task) {
      signal.throwIfAborted();
      const child = task(signal)
        .catch(fail)
        .finally(() => running.delete(child));
      running.add(child);
    },
    async join() {
      await settle();
      if (failure !== undefined) throw failure.error;
      parent.throwIfAborted();
    },
    async [Symbol.asyncDispose]() {
      own.abort(new DOMException("Task group closed", "AbortError"));
      await settle();
    },
  };
}
