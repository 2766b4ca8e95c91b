/**
 * Work that runs at once as far as it can, and yields a promise only where it must wait: a loop of a thousand builtins
 * waits for nothing, and makes no promise.
 */
export type Task<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise inside of a task. */
export function* wait<T>(promise: Promise<T>): Task<T> {
  return (yield promise) as T;
}

/**
 * Runs a task to its end. Rejects with what the task throws. An abort ends it where it waits: it puts back what it has
 * changed for a while, waits for nothing more, and rejects with the signal's reason.
 */
export async function drive<T>(task: Task<T>, signal?: AbortSignal): Promise<T> {
  let step = task.next();
  while (step.done !== true) {
    let value: unknown;
    try {
      // oxlint-disable-next-line no-await-in-loop -- a task goes on when what it waits for is there
      value = await (signal === undefined ? step.value : orAborted(step.value, signal));
      signal?.throwIfAborted();
    } catch (error) {
      step = task.throw(error);
      continue;
    }
    step = task.next(value);
  }
  return step.value;
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
