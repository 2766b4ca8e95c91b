import type { ModelRef } from "@deputy/model";
import { assertKnownModel, parseModelRef, serverVariables } from "@deputy/model/ref";
import type { HomeAgentsSettings } from "./agents/agents-settings.ts";
import type { Config } from "./config.ts";

const DEFAULT_MODEL = "rehearsal/tour";

/** `DEPUTY_MODEL`, or the config's model, or the rehearsal. Throws a `ModelError` for a meaningless name. */
export function chooseModelRef(
  config: Pick<Config, "model"> & { readonly servers?: readonly string[] },
  env: NodeJS.ProcessEnv,
): ModelRef {
  const ref = parseModelRef(env["DEPUTY_MODEL"] || config.model || DEFAULT_MODEL);
  const isInEnv = Boolean(env[serverVariables(ref.provider).urlVariable]);
  assertKnownModel(ref, [...(config.servers ?? []), ...(isInEnv ? [ref.provider] : [])]);
  return ref;
}

/** The default agent's; `named`, if given, overrides everything. */
export function defaultModelRef(
  { defaultAgent, forAll, bySlug, servers }: HomeAgentsSettings,
  env: NodeJS.ProcessEnv,
  named?: string,
): ModelRef {
  const DEPUTY_MODEL = named ?? env["DEPUTY_MODEL"];
  const model = bySlug.get(defaultAgent)?.model ?? forAll.model;
  return chooseModelRef({ model, servers }, { ...env, DEPUTY_MODEL });
}
