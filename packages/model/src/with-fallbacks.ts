import type { Clock } from "@deputy/kit";
import { ModelError, type ModelErrorCode } from "./model-error.ts";
import { formatModelRef } from "./model-ref.ts";
import type { Model, ModelEvent } from "./model.ts";

/**
 * The errors after which another model may well answer. Not among them: what another model would refuse as well, what
 * the user should decide, and a conversation that is too long, which is made shorter first.
 */
const FALLS_OVER: ReadonlySet<ModelErrorCode> = new Set([
  "missing_key",
  "wrong_key",
  "no_credit",
  "unknown_model",
  "rate_limited",
  "overloaded",
  "connection_failed",
  "stream_cut",
  "timeout",
  "garbage",
  "empty_answer",
]);

/** For so long, a model that failed is asked last: every request would wait for its retries. */
const REST_MS = 5 * 60_000;

interface Failing {
  readonly code: ModelErrorCode;
  readonly untilMs: number;
}

/**
 * The first model, or the next one that answers. Never after a part of an answer was passed on. If all fail, the error is
 * that of the first.
 */
export function withFallbacks(
  first: Model,
  others: readonly Model[],
  deps: { readonly clock: Clock },
): Model {
  if (others.length === 0) return first;
  const failing = new Map<Model, Failing>();
  const name = formatModelRef(first.ref);
  const isResting = (model: Model): boolean =>
    deps.clock.monotonicMs() < (failing.get(model)?.untilMs ?? -Infinity);

  async function* answer(model: Model, ...asked: Parameters<Model["stream"]>): AsyncGenerator<ModelEvent> {
    const code = failing.get(first)?.code;
    let isFirst = true;
    for await (const event of model.stream(...asked)) {
      if (isFirst && model !== first && code !== undefined)
        yield { kind: "answered_by", fallback: { model: formatModelRef(model.ref), instead: name, code } };
      isFirst = false;
      yield event;
    }
    if (model === first) failing.delete(model);
  }

  return {
    ref: first.ref,
    fallbacks: others.map(({ ref }) => ref),
    sees: [first, ...others].some(({ sees }) => sees),
    async *stream(request, signal) {
      const all = [first, ...others];
      const order = [...all.filter((model) => !isResting(model)), ...all.filter(isResting)];
      const errors = new Map<Model, ModelError>();
      for (const model of order) {
        try {
          yield* answer(model, request, signal);
          return;
        } catch (error) {
          if (!mayFallOver(error)) throw error;
          errors.set(model, error);
          failing.set(model, { code: error.code, untilMs: deps.clock.monotonicMs() + REST_MS });
        }
      }
      throw errors.get(first) ?? new Error("No model was asked");
    },
  };
}

function mayFallOver(error: unknown): error is ModelError {
  return error instanceof ModelError && error.output === "none" && FALLS_OVER.has(error.code);
}
