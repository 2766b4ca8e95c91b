import type { AgentsSettings } from "@deputy/agent";
import { CodedError, createSystemClock } from "@deputy/kit";
import type { Model } from "@deputy/model";
import { formatModelRef, serverVariables } from "@deputy/model/ref";
import { chooseModel } from "../choose-model.ts";
import { chooseModelRef } from "../choose-model-ref.ts";
import { type ProviderSettings, watchProviders } from "../config/watch-providers.ts";
import type { Home } from "../home.ts";
import { resolveSecret } from "../config/secret-reference.ts";

/** The models of agents, each created once for as long as its provider's settings stay the same. */
export interface AgentModels {
  /** Throws a `ModelError`, or `secret_unavailable`. */
  of(slug: string, ref: string | undefined, chosen?: string, fallbacks?: readonly string[]): Model;
}

/**
 * Looks up a provider's key when a model is needed, in the place that the configuration names then, and calls `learn`
 * with it before the first request. `DEPUTY_MODEL` takes precedence for the default agent and for all agents without
 * a model of their own; the one that was chosen for a session over both; and `named`, if given, over all.
 */
export function createAgentModels(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  { defaultAgent, bySlug }: Pick<AgentsSettings, "defaultAgent" | "bySlug">,
  named?: string,
  learn: (secret: string) => void = () => undefined,
): AgentModels {
  const current = watchProviders(home);
  const { vision } = home.config;
  const made = new Map<string, { readonly key: string; readonly model: Model }>();

  const envFor = (slug: string, chosen: string | undefined): NodeJS.ProcessEnv => {
    const decided = named ?? chosen;
    if (decided !== undefined) return { ...env, DEPUTY_MODEL: decided };
    const isOwn = slug !== defaultAgent && bySlug.get(slug)?.model !== undefined;
    return isOwn ? { ...env, DEPUTY_MODEL: "" } : env;
  };
  /** The model that such an environment names, and how it is reached. */
  const find = (ref: string | undefined, own: NodeJS.ProcessEnv) => {
    const settings = current();
    const servers = Object.keys(settings.servers);
    const chosen = chooseModelRef({ model: ref, servers }, own);
    const full = withProviderSettings(own, chosen.provider, settings, home.directory, learn);
    return {
      ref: chosen,
      key: JSON.stringify([chosen, full]),
      create: () => chooseModel({ model: ref }, full, { vision }),
    };
  };
  /** A fallback that is set up wrongly keeps nobody from the model itself; `deputy config check` reports it. */
  const findOther = (model: string) => {
    try {
      return [find(model, { ...env, DEPUTY_MODEL: "" })];
    } catch (error) {
      if (error instanceof CodedError) return [];
      throw error;
    }
  };
  return {
    of(slug, ref, chosen, fallbacks = []) {
      const first = find(ref, envFor(slug, chosen));
      const others = fallbacks
        .flatMap(findOther)
        .filter((other) => formatModelRef(other.ref) !== formatModelRef(first.ref));
      const key = [first, ...others].map((one) => one.key).join("\n");
      const name = chosen === undefined ? slug : `${slug} ${chosen}`;
      const before = made.get(name);
      if (before?.key === key) return before.model;
      const rest = others.map((other) => other.create());
      const model = rest.length === 0 ? first.create() : fallingBack(first.create(), rest);
      made.set(name, { key, model });
      return model;
    },
  };
}

/** What falls back is loaded when it is first asked. */
function fallingBack(first: Model, others: readonly Model[]): Model {
  let loaded: Promise<Model> | undefined;
  const load = async (): Promise<Model> => {
    const { withFallbacks } = await import("@deputy/model/fallbacks");
    return withFallbacks(first, others, { clock: createSystemClock() });
  };
  return {
    ref: first.ref,
    fallbacks: others.map(({ ref }) => ref),
    sees: [first, ...others].some(({ sees }) => sees),
    async *stream(request, signal) {
      yield* (await (loaded ??= load())).stream(request, signal);
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
  { providers, servers }: ProviderSettings,
  home: string,
  learn: (secret: string) => void,
): NodeJS.ProcessEnv {
  const settings = isKnown(provider) ? providers[provider] : servers[provider];
  if (settings === undefined) return env;
  const { apiKey, baseUrl } = variablesOf(provider);
  const full: NodeJS.ProcessEnv = { ...env };
  if (settings.baseUrl !== undefined) full[baseUrl] ||= settings.baseUrl;
  if (settings.apiKey === undefined || full[apiKey]) return full;
  const secret = resolveSecret(settings.apiKey, env, home);
  learn(secret);
  return { ...full, [apiKey]: secret };
}

export function variablesOf(provider: string): { readonly apiKey: string; readonly baseUrl: string } {
  if (isKnown(provider)) return PROVIDER_VARIABLES[provider];
  const { keyVariable, urlVariable } = serverVariables(provider);
  return { apiKey: keyVariable, baseUrl: urlVariable };
}

function isKnown(provider: string): provider is keyof typeof PROVIDER_VARIABLES {
  return Object.hasOwn(PROVIDER_VARIABLES, provider);
}
