import type { ModelDeps } from "./create-model.ts";
import type { Model, ModelRef } from "./model.ts";
import { DEFAULT_WIRE_LIMITS } from "./wire/watched-wire.ts";
import { withRetries } from "./with-retries.ts";

/** Loads the code of this provider only. The model retries temporary failures. */
export async function connectProvider(ref: ModelRef, deps: ModelDeps): Promise<Model> {
  const { settings, fetch, clock } = deps;
  const wire = { fetch, clock, limits: DEFAULT_WIRE_LIMITS };
  const retrying = (model: Model): Model =>
    withRetries(model, {
      clock,
      ...(deps.random !== undefined && { random: deps.random }),
      ...(deps.retryLimits !== undefined && { limits: deps.retryLimits }),
    });
  switch (ref.provider) {
    case "anthropic": {
      const { createAnthropicModel } = await import("./anthropic/anthropic-model.ts");
      const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl } = settings;
      return retrying(createAnthropicModel(wire, ref, { apiKey, baseUrl }));
    }
    case "openai": {
      const { createResponsesModel } = await import("./openai-responses/responses-model.ts");
      const { openaiApiKey: apiKey, openaiBaseUrl: baseUrl } = settings;
      return retrying(createResponsesModel(wire, ref, { apiKey, baseUrl }));
    }
    case "local": {
      const { createLocalModel } = await import("./local-model.ts");
      const { localBaseUrl: baseUrl, localApiKey: apiKey } = settings;
      return retrying(createLocalModel(wire, ref, { baseUrl, apiKey }));
    }
    default: {
      const { createLocalModel } = await import("./local-model.ts");
      const server = settings.servers?.[ref.provider];
      if (server === undefined) throw new Error(`${ref.provider} has no server`);
      return retrying(createLocalModel(wire, ref, server));
    }
  }
}
