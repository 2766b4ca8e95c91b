import { type Clock, createSystemClock } from "@deputy/kit";
import { createModel, type Model, type ModelSettings } from "@deputy/model";
import { chooseModelRef } from "./choose-model-ref.ts";
import type { Config } from "./config.ts";

/**
 * Throws like `chooseModelRef`. A missing key shows only when the model is asked, so that everything else
 * works without it.
 */
export function chooseModel(
  config: Pick<Config, "model">,
  env: NodeJS.ProcessEnv,
  deps: { readonly clock: Clock; readonly fetch: typeof fetch } = { clock: createSystemClock(), fetch },
): Model {
  return createModel(chooseModelRef(config, env), { ...deps, settings: readModelSettings(env) });
}

/** Reads the providers' settings from the environment. */
export function readModelSettings(env: NodeJS.ProcessEnv): ModelSettings {
  return {
    anthropicApiKey: env["ANTHROPIC_API_KEY"],
    anthropicBaseUrl: env["ANTHROPIC_BASE_URL"],
    openaiApiKey: env["OPENAI_API_KEY"],
    openaiBaseUrl: env["OPENAI_BASE_URL"],
    localBaseUrl: env["DEPUTY_LOCAL_BASE_URL"],
    localApiKey: env["DEPUTY_LOCAL_API_KEY"],
  };
}
