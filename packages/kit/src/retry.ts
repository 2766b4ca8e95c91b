import type { Clock } from "./clock.ts";
import { throwIfAborted } from "./coded-error.ts";

export interface RetryPolicy {
  /** Total number of attempts, the first one included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly retryable: (error: unknown) => boolean;
  /** A wait the other side asked for (`retry-after`); if it is a number, it replaces the jittered one, capped by `maxMs`. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
}

/**
 * Full-jitter exponential backoff: the n-th wait is uniform in [0, min(maxMs, baseMs · 2ⁿ⁻¹)].
 * Rejects with the last error when attempts run out or it is not retryable; an abort before an
 * attempt or during the wait rejects at once with the signal's reason.
 */
export async function retry<T>(
  deps: { readonly clock: Clock; readonly random?: () => number },
  policy: RetryPolicy,
  signal: AbortSignal,
  attempt: (n: number) => Promise<T>,
): Promise<T> {
  const random = deps.random ?? Math.random;
  for (let n = 1; ; n++) {
    throwIfAborted(signal);
    try {
      return await attempt(n);
    } catch (error) {
      if (n >= policy.attempts || signal.aborted || !policy.retryable(error)) throw error;
      const asked = policy.retryAfterMs?.(error);
      const ceiling = Math.min(policy.maxMs, policy.baseMs * 2 ** (n - 1));
      const waitMs =
        asked === undefined || Number.isNaN(asked) ? random() * ceiling : Math.min(asked, policy.maxMs);
      await deps.clock.sleep(waitMs, signal);
    }
  }
}
