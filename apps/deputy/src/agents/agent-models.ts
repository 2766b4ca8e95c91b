import type { AgentsSettings } from "@deputy/agent";
import type { Model } from "@deputy/model";
import { chooseModel } from "../choose-model.ts";
import { watchProviders } from "../config/watch-providers.ts";
import type { Home } from "../home.ts";
import { withProviderSettings } from "./provider-settings.ts";

/** The models of agents, each made once for as long as its provider's settings stay the same. */
export interface AgentModels {
  /** Throws a `ModelError`, or `secret_unavailable`. */
  of(slug: string, ref: string | undefined): Model;
}

/**
 * A provider's key is looked up when a model is wanted, where the configuration says by then; `learn` is told
 * it, before anything is asked with it. `DEPUTY_MODEL` goes before everything for the default agent, and for
 * all that have no model of their own; `named`, where there is one, for all.
 */
export function createAgentModels(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  { defaultAgent, bySlug }: AgentsSettings,
  named?: string,
  learn: (secret: string) => void = () => undefined,
): AgentModels {
  const current = watchProviders(home);
  const made = new Map<string, { readonly key: string; readonly model: Model }>();

  const envFor = (slug: string): NodeJS.ProcessEnv => {
    if (named !== undefined) return { ...env, DEPUTY_MODEL: named };
    const isOwn = slug !== defaultAgent && bySlug.get(slug)?.model !== undefined;
    return isOwn ? { ...env, DEPUTY_MODEL: "" } : env;
  };
  return {
    of(slug, ref) {
      const plain = chooseModel({ model: ref }, envFor(slug));
      const full = withProviderSettings(envFor(slug), plain.ref.provider, current(), home.directory, learn);
      const key = JSON.stringify([plain.ref, full]);
      const before = made.get(slug);
      if (before?.key === key) return before.model;
      const model = chooseModel({ model: ref }, full);
      made.set(slug, { key, model });
      return model;
    },
  };
}
