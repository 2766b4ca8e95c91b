import type { Clock } from "@deputy/kit";
import { EventLogError } from "@deputy/protocol";

/** Appends that wait while the log can take nothing, and go on once it can. */
export interface LogPatience {
  /**
   * Repeats `append` while the log refuses it for a reason that passes, such as a full disk. Rejects with any other
   * refusal, and with the signal's reason.
   */
  insist<T>(append: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

export function createLogPatience(deps: {
  readonly clock: Clock;
  /** Told when appends begin to wait, and when the last of them has gone through. Must not throw. */
  readonly onHeldUp?: ((error: EventLogError | undefined) => void) | undefined;
}): LogPatience {
  const { clock, onHeldUp } = deps;
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

  return {
    async insist(append, signal) {
      try {
        return await append();
      } catch (error) {
        if (!willPass(error)) throw error;
        if (waiting++ === 0) onHeldUp?.(error);
        try {
          return await untilTaken(append, signal);
        } finally {
          if (--waiting === 0) onHeldUp?.(undefined);
        }
      }
    },
  };
}

/** True for refusals after which the same append may be taken: nothing was written, and the log is sound. */
export function willPass(error: unknown): error is EventLogError {
  return error instanceof EventLogError && (error.code === "storage_full" || error.code === "log_missing");
}
