import type { AgentsSettings } from "@deputy/agent";
import type { Model } from "@deputy/model";
import { chooseModel } from "../choose-model.ts";
import type { Config } from "../config.ts";

/** The models of agents; each is made once. */
export interface AgentModels {
  /** Throws a `ModelError`. */
  of(slug: string, ref: string | undefined): Model;
  ofDefault(): Model;
}

/** `DEPUTY_MODEL` goes before everything for the default agent, and for all that have no model of their own. */
export function createAgentModels(
  config: Config,
  env: NodeJS.ProcessEnv,
  { defaultAgent, forAll, bySlug }: AgentsSettings,
): AgentModels {
  const made = new Map<string, Model>();
  const of = (slug: string, ref: string | undefined): Model => {
    const isOwn = slug !== defaultAgent && bySlug.get(slug)?.model !== undefined;
    const key = JSON.stringify([isOwn, ref]);
    const model =
      made.get(key) ?? chooseModel({ ...config, model: ref }, isOwn ? { ...env, DEPUTY_MODEL: "" } : env);
    made.set(key, model);
    return model;
  };
  return { of, ofDefault: () => of(defaultAgent, bySlug.get(defaultAgent)?.model ?? forAll.model) };
}
