import { type Clock, retry } from "@deputy/kit";
import { ModelError, type ModelErrorCode } from "./model-error.ts";
import type { Model, ModelEvent } from "./model.ts";

export interface RetryLimits {
  /** Including the first one. */
  readonly attempts: number;
  readonly baseMs: number;
  /** A provider that asks for a longer wait is not asked again. */
  readonly maxMs: number;
}

export const DEFAULT_RETRY_LIMITS: RetryLimits = { attempts: 4, baseMs: 1_000, maxMs: 60_000 };

/**
 * Errors that may be temporary. A timeout is not one: the provider may have been thinking all the time, which
 * costs money.
 */
const PASSING: ReadonlySet<ModelErrorCode> = new Set([
  "rate_limited",
  "overloaded",
  "connection_failed",
  "stream_cut",
  "garbage",
  "empty_answer",
]);

/** The same question may well get the same answer, and each attempt costs the same. */
const EMPTY_ANSWERS = 3;

/**
 * The model, retried after failures that may be temporary: after a wait with full jitter, or the one the
 * provider asked for. Never after part of an answer was passed on, because it would be repeated.
 */
export function withRetries(
  model: Model,
  deps: { readonly clock: Clock; readonly random?: () => number; readonly limits?: RetryLimits },
): Model {
  const { maxMs, ...limits } = deps.limits ?? DEFAULT_RETRY_LIMITS;
  const createPolicy = () => {
    let empty = 0;
    return {
      ...limits,
      maxMs,
      retryable(error: unknown): boolean {
        if (!(error instanceof ModelError)) return false;
        if (error.code === "empty_answer" && ++empty >= EMPTY_ANSWERS) return false;
        return PASSING.has(error.code) && (error.retryAfterMs ?? 0) <= maxMs;
      },
      retryAfterMs: (error: unknown) => (error instanceof ModelError ? error.retryAfterMs : undefined),
    };
  };
  return {
    ref: model.ref,
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const begin = async () => {
        const events = model.stream(request, signal)[Symbol.asyncIterator]();
        return { events, first: await events.next() };
      };
      const { events, first } = await retry(deps, createPolicy(), signal, begin);
      if (first.done === true) return;
      try {
        yield first.value;
        for (let next = await events.next(); next.done !== true; next = await events.next()) yield next.value;
      } finally {
        await events.return?.();
      }
    },
  };
}
