import type { Clock } from "@deputy/kit";
import { assertKnownModel } from "./model-ref.ts";
import type { Model, ModelRef } from "./model.ts";
import { canSee, type Vision } from "./pictures/can-see.ts";
import { createRehearsalModel } from "./rehearsal/rehearsal-model.ts";
import type { Fetch } from "./wire/watched-wire.ts";
import type { RetryLimits } from "./with-retries.ts";

/** The user's settings; each may be missing until a model needs it. */
export interface ModelSettings {
  readonly anthropicApiKey?: string | undefined;
  readonly anthropicBaseUrl?: string | undefined;
  readonly openaiApiKey?: string | undefined;
  readonly openaiBaseUrl?: string | undefined;
  readonly localBaseUrl?: string | undefined;
  readonly localApiKey?: string | undefined;
  /** Further servers, by the name that stands for the provider in the names of their models. */
  readonly servers?: Readonly<Record<string, ServerSettings>> | undefined;
}

/** A server with an API like OpenAI's, or Ollama, at any address. */
export interface ServerSettings {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
}

export interface ModelDeps {
  readonly settings: ModelSettings;
  /** Must respect its signal. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly retryLimits?: RetryLimits;
  /** Which models can see pictures, where their names do not tell. */
  readonly vision?: Vision | undefined;
}

/**
 * The model with this name, with retries. Throws `unknown_provider` or `unknown_model` (rehearsals only). A
 * missing key, or a model that the server does not know, shows only when it is asked.
 */
export function createModel(ref: ModelRef, deps: ModelDeps): Model {
  assertKnownModel(ref, Object.keys(deps.settings.servers ?? {}));
  // It looks at no picture, and says nothing about one.
  if (ref.provider === "rehearsal") return { ...createRehearsalModel(ref), sees: false };
  const sees = canSee(ref, deps.vision);
  return later({ ref, sees }, async () => {
    const { connectProvider } = await import("./connect-provider.ts");
    const { withSight } = await import("./pictures/with-sight.ts");
    return withSight(await connectProvider(ref, deps), sees);
  });
}

/** A model whose code is loaded when it is first asked, so that an idle daemon does not hold it in memory. */
function later(known: Pick<Model, "ref" | "sees">, load: () => Promise<Model>): Model {
  let loaded: Promise<Model> | undefined;
  return {
    ...known,
    async *stream(request, signal) {
      signal.throwIfAborted();
      loaded ??= load();
      yield* (await loaded).stream(request, signal);
    },
  };
}
