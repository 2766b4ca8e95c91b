import type { Config } from "../config.ts";
import { resolveSecret } from "../config/secret-reference.ts";

/** The variables that say the same as the settings of a provider, and go before them. */
const VARIABLES = {
  anthropic: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  openai: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  local: { apiKey: "DEPUTY_LOCAL_API_KEY", baseUrl: "DEPUTY_LOCAL_BASE_URL" },
} as const;

/**
 * The environment as models read it. Where it says nothing about a provider, the configuration's values are used.
 * Calls `learn` with a key that was looked up. Throws `secret_unavailable`.
 */
export function withProviderSettings(
  env: NodeJS.ProcessEnv,
  provider: string,
  { providers }: Pick<Config, "providers">,
  home: string,
  learn: (secret: string) => void,
): NodeJS.ProcessEnv {
  if (!isKnown(provider)) return env;
  const { apiKey, baseUrl } = VARIABLES[provider];
  const settings = providers[provider];
  const full: NodeJS.ProcessEnv = { ...env };
  if (settings.baseUrl !== undefined) full[baseUrl] ||= settings.baseUrl;
  if (settings.apiKey === undefined || full[apiKey]) return full;
  const secret = resolveSecret(settings.apiKey, env, home);
  learn(secret);
  return { ...full, [apiKey]: secret };
}

function isKnown(provider: string): provider is keyof typeof VARIABLES {
  return Object.hasOwn(VARIABLES, provider);
}
