import type { Clock } from "@deputy/kit";
import { EventLogError } from "@deputy/protocol";

/** Appends that wait while the log can take nothing, and go on once it can. */
export interface LogPatience {
  /**
   * Repeats `append` while the log refuses it for a reason that passes, such as a full disk. Once one waits, later ones
   * of the same `owner` wait behind it: they are taken in the order in which they were made. Rejects with any other
   * refusal, and with the signal's reason.
   */
  insist<T>(append: () => Promise<T>, signal: AbortSignal, owner?: object): Promise<T>;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

export function createLogPatience(deps: {
  readonly clock: Clock;
  /** Called when appends begin to wait, and when the last of them has been written. Must not throw. */
  readonly onHeldUp?: ((error: EventLogError | undefined) => void) | undefined;
}): LogPatience {
  const { clock, onHeldUp } = deps;
  /** The last that waits, for each owner. */
  const lines = new WeakMap<object, Promise<unknown>>();
  let waiting = 0;

  const untilTaken = async <T>(append: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      await clock.sleep(waitMs, signal);
      try {
        return await append();
      } catch (error) {
        if (!willPass(error)) throw error;
      }
    }
  };
  const wait = async <T>(append: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await untilTaken(append, signal);
    } finally {
      if (--waiting === 0) onHeldUp?.(undefined);
    }
  };
  const queueBehind = async <T>(
    before: Promise<unknown>,
    append: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    await before.catch(() => undefined);
    signal.throwIfAborted();
    try {
      return await append();
    } catch (error) {
      if (!willPass(error)) throw error;
      if (waiting++ === 0) onHeldUp?.(error);
      return await wait(append, signal);
    }
  };
  const lineUp = <T>(owner: object, job: Promise<T>): Promise<T> => {
    const last = job.catch(() => undefined);
    lines.set(owner, last);
    void last.then(() => {
      if (lines.get(owner) === last) lines.delete(owner);
    });
    return job;
  };

  return {
    async insist(append, signal, owner = {}) {
      const before = lines.get(owner);
      if (before !== undefined) return await lineUp(owner, queueBehind(before, append, signal));
      try {
        return await append();
      } catch (error) {
        if (!willPass(error)) throw error;
        const ahead = lines.get(owner);
        if (ahead !== undefined) return await lineUp(owner, queueBehind(ahead, append, signal));
        if (waiting++ === 0) onHeldUp?.(error);
        return await lineUp(owner, wait(append, signal));
      }
    },
  };
}

/** True for refusals after which the same append may be taken: nothing was written, and the log is sound. */
export function willPass(error: unknown): error is EventLogError {
  return error instanceof EventLogError && (error.code === "storage_full" || error.code === "log_missing");
}
