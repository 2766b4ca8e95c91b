import type { AgentsSettings } from "@deputy/agent";
import type { Model } from "@deputy/model";
import { chooseModel } from "../choose-model.ts";
import type { Home } from "../home.ts";
import { withProviderSettings } from "./provider-settings.ts";

/** The models of agents, each made once for as long as its provider's settings stay the same. */
export interface AgentModels {
  /** Throws a `ModelError`, or `secret_unavailable`. */
  of(slug: string, ref: string | undefined): Model;
}

/**
 * `DEPUTY_MODEL` goes before everything for the default agent, and for all that have no model of their own;
 * `named`, where there is one, for all.
 */
export function createAgentModels(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  { defaultAgent, bySlug }: AgentsSettings,
  named?: string,
): AgentModels {
  const made = new Map<string, { readonly key: string; readonly model: Model }>();

  const envFor = (slug: string): NodeJS.ProcessEnv => {
    if (named !== undefined) return { ...env, DEPUTY_MODEL: named };
    const isOwn = slug !== defaultAgent && bySlug.get(slug)?.model !== undefined;
    return isOwn ? { ...env, DEPUTY_MODEL: "" } : env;
  };
  return {
    of(slug, ref) {
      const plain = chooseModel({ model: ref }, envFor(slug));
      const full = withProviderSettings(envFor(slug), plain.ref.provider, home.config, home.directory);
      const key = JSON.stringify([plain.ref, full]);
      const before = made.get(slug);
      if (before?.key === key) return before.model;
      const model = chooseModel({ model: ref }, full);
      made.set(slug, { key, model });
      return model;
    },
  };
}
