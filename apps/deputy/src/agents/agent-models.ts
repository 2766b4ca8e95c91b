import type { AgentsSettings } from "@deputy/agent";
import type { Model } from "@deputy/model";
import { chooseModel } from "../choose-model.ts";
import { watchProviders } from "../config/watch-providers.ts";
import type { Home } from "../home.ts";
import type { Config } from "../config.ts";
import { resolveSecret } from "../config/secret-reference.ts";

/** The models of agents, each created once for as long as its provider's settings stay the same. */
export interface AgentModels {
  /** Throws a `ModelError`, or `secret_unavailable`. */
  of(slug: string, ref: string | undefined): Model;
}

/**
 * Looks up a provider's key when a model is needed, in the place that the configuration names then, and calls `learn`
 * with it before the first request. `DEPUTY_MODEL` takes precedence for the default agent and for all agents without
 * a model of their own; `named`, if given, takes precedence for all.
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

/** The variables that override the settings of a provider. */
export const PROVIDER_VARIABLES = {
  anthropic: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  openai: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  local: { apiKey: "DEPUTY_LOCAL_API_KEY", baseUrl: "DEPUTY_LOCAL_BASE_URL" },
} as const;

/**
 * The environment as models read it. If it says nothing about a provider, the configuration's values are
 * used. Calls `learn` with a key that was looked up. Throws `secret_unavailable`.
 */
export function withProviderSettings(
  env: NodeJS.ProcessEnv,
  provider: string,
  { providers }: Pick<Config, "providers">,
  home: string,
  learn: (secret: string) => void,
): NodeJS.ProcessEnv {
  if (!isKnown(provider)) return env;
  const { apiKey, baseUrl } = PROVIDER_VARIABLES[provider];
  const settings = providers[provider];
  const full: NodeJS.ProcessEnv = { ...env };
  if (settings.baseUrl !== undefined) full[baseUrl] ||= settings.baseUrl;
  if (settings.apiKey === undefined || full[apiKey]) return full;
  const secret = resolveSecret(settings.apiKey, env, home);
  learn(secret);
  return { ...full, [apiKey]: secret };
}

function isKnown(provider: string): provider is keyof typeof PROVIDER_VARIABLES {
  return Object.hasOwn(PROVIDER_VARIABLES, provider);
}
