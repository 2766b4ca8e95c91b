import type { Clock } from "@deputy/kit";
import { assertKnownModel } from "./model-ref.ts";
import type { Model, ModelRef } from "./model.ts";
import { createRehearsalModel } from "./rehearsal/rehearsal-model.ts";
import { DEFAULT_WIRE_LIMITS, type Fetch, type WireLimits } from "./wire/watched-wire.ts";
import { type RetryLimits, withRetries } from "./with-retries.ts";

/** What users set; every one may be left out until a model needs it. */
export interface ModelSettings {
  readonly anthropicApiKey?: string | undefined;
  readonly anthropicBaseUrl?: string | undefined;
  readonly openaiApiKey?: string | undefined;
  readonly openaiBaseUrl?: string | undefined;
  readonly localBaseUrl?: string | undefined;
  readonly localApiKey?: string | undefined;
  readonly localContextTokens?: number | undefined;
}

export interface ModelDeps {
  readonly settings: ModelSettings;
  /** Must heed its signal. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly wireLimits?: WireLimits;
  readonly retryLimits?: RetryLimits;
}

/**
 * The model a name stands for, retries included. Throws `unknown_provider` or `unknown_model` (rehearsals
 * only); whether a key is there and a server knows the model shows when it is asked.
 */
export function createModel(ref: ModelRef, deps: ModelDeps): Model {
  assertKnownModel(ref);
  const { settings, fetch, clock } = deps;
  const wire = { fetch, clock, limits: deps.wireLimits ?? DEFAULT_WIRE_LIMITS };
  const retrying = (model: Model): Model =>
    withRetries(model, {
      clock,
      ...(deps.random !== undefined && { random: deps.random }),
      ...(deps.retryLimits !== undefined && { limits: deps.retryLimits }),
    });
  switch (ref.provider) {
    case "anthropic":
      return later(ref, async () => {
        const { createAnthropicModel } = await import("./anthropic/anthropic-model.ts");
        const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl } = settings;
        return retrying(createAnthropicModel(wire, ref, { apiKey, baseUrl }));
      });
    case "openai":
      return later(ref, async () => {
        const { createResponsesModel } = await import("./openai-responses/responses-model.ts");
        const { openaiApiKey: apiKey, openaiBaseUrl: baseUrl } = settings;
        return retrying(createResponsesModel(wire, ref, { apiKey, baseUrl }));
      });
    case "local":
      return later(ref, async () => {
        const { createLocalModel } = await import("./local-model.ts");
        const { localBaseUrl: baseUrl, localApiKey: apiKey, localContextTokens: contextTokens } = settings;
        return retrying(createLocalModel(wire, ref, { baseUrl, apiKey, contextTokens }));
      });
    default:
      return createRehearsalModel(ref);
  }
}

/** A model whose code is loaded when it is first asked: an idle daemon holds none of it. */
function later(ref: ModelRef, load: () => Promise<Model>): Model {
  let loaded: Promise<Model> | undefined;
  return {
    ref,
    async *stream(request, signal) {
      signal.throwIfAborted();
      loaded ??= load();
      yield* (await loaded).stream(request, signal);
    },
  };
}
