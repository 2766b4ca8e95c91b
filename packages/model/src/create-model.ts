import type { Clock } from "@deputy/kit";
import { assertKnownModel } from "./model-ref.ts";
import type { Model, ModelRef } from "./model.ts";
import { createRehearsalModel } from "./rehearsal/rehearsal-model.ts";
import type { Fetch, WireLimits } from "./wire/watched-wire.ts";
import type { RetryLimits } from "./with-retries.ts";

/** The user's settings; each may be missing until a model needs it. */
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
  /** Must respect its signal. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly wireLimits?: WireLimits;
  readonly retryLimits?: RetryLimits;
}

/**
 * The model with this name, with retries. Throws `unknown_provider` or `unknown_model` (rehearsals only). A
 * missing key, or a model that the server does not know, shows only when it is asked.
 */
export function createModel(ref: ModelRef, deps: ModelDeps): Model {
  assertKnownModel(ref);
  if (ref.provider === "rehearsal") return createRehearsalModel(ref);
  return later(ref, async () => {
    const { connectProvider } = await import("./connect-provider.ts");
    return await connectProvider(ref, deps);
  });
}

/** A model whose code is loaded when it is first asked, so that an idle daemon does not hold it in memory. */
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
