/**
 * Work that runs at once as far as it can, and yields a promise only where it must wait: a loop of a thousand builtins
 * waits for nothing, and makes no promise.
 */
export type Task<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise inside of a task. */
export function* wait<T>(promise: Promise<T>): Task<T> {
  return (yield promise) as T;
}

/** Runs a task to its end. Rejects with what the task throws. */
export async function drive<T>(task: Task<T>): Promise<T> {
  let step = task.next();
  while (step.done !== true) {
    let value: unknown;
    try {
      // oxlint-disable-next-line no-await-in-loop -- a task goes on when what it waits for is there
      value = await step.value;
    } catch (error) {
      step = task.throw(error);
      continue;
    }
    step = task.next(value);
  }
  return step.value;
}
