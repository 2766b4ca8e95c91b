import { createSystemClock } from "@deputy/kit";
import { createModel, type Model, type ModelDeps, type ModelSettings } from "@deputy/model";
import { OWN_PROVIDERS, serverVariables } from "@deputy/model/ref";
import { chooseModelRef } from "./choose-model-ref.ts";

/**
 * Throws like `chooseModelRef`. A missing key shows only when the model is asked, so that everything else
 * works without it.
 */
export function chooseModel(
  config: Parameters<typeof chooseModelRef>[0],
  env: NodeJS.ProcessEnv,
  deps: Partial<Pick<ModelDeps, "clock" | "fetch" | "vision">> = {},
): Model {
  const ref = chooseModelRef(config, env);
  const settings = readModelSettings(env, ref.provider);
  return createModel(ref, { clock: createSystemClock(), fetch, ...deps, settings });
}

/** Reads the providers' settings from the environment, and those of a further server. */
export function readModelSettings(env: NodeJS.ProcessEnv, server = "local"): ModelSettings {
  const { urlVariable, keyVariable } = serverVariables(server);
  const baseUrl = env[urlVariable];
  return {
    ...(baseUrl && !OWN_PROVIDERS.includes(server)
      ? { servers: { [server]: { baseUrl, apiKey: env[keyVariable] } } }
      : {}),
    anthropicApiKey: env["ANTHROPIC_API_KEY"],
    anthropicBaseUrl: env["ANTHROPIC_BASE_URL"],
    openaiApiKey: env["OPENAI_API_KEY"],
    openaiBaseUrl: env["OPENAI_BASE_URL"],
    localBaseUrl: env["DEPUTY_LOCAL_BASE_URL"],
    localApiKey: env["DEPUTY_LOCAL_API_KEY"],
  };
}
