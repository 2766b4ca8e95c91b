import type { AgentsSettings } from "@deputy/agent";
import type { ModelRef } from "@deputy/model";
import { assertKnownModel, parseModelRef } from "@deputy/model/ref";
import type { Config } from "./config.ts";

const DEFAULT_MODEL = "rehearsal/tour";

/** `DEPUTY_MODEL`, or the config's model, or the rehearsal. Throws a `ModelError` for a meaningless name. */
export function chooseModelRef(config: Pick<Config, "model">, env: NodeJS.ProcessEnv): ModelRef {
  const ref = parseModelRef(env["DEPUTY_MODEL"] || config.model || DEFAULT_MODEL);
  assertKnownModel(ref);
  return ref;
}

/** The default agent's; `named`, if given, overrides everything. */
export function defaultModelRef(
  { defaultAgent, forAll, bySlug }: AgentsSettings,
  env: NodeJS.ProcessEnv,
  named?: string,
): ModelRef {
  const DEPUTY_MODEL = named ?? env["DEPUTY_MODEL"];
  return chooseModelRef({ model: bySlug.get(defaultAgent)?.model ?? forAll.model }, { DEPUTY_MODEL });
}
