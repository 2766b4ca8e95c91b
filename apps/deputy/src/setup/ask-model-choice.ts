import { cancel, isCancel, log, password, select, text } from "@clack/prompts";
import { detectLocalServers, USUAL_PORTS } from "./detect-local-servers.ts";
import type { ModelChoice } from "./connect-model.ts";

const PROVIDERS = {
  anthropic: { variable: "ANTHROPIC_API_KEY", example: "claude-sonnet-5" },
  openai: { variable: "OPENAI_API_KEY", example: "gpt-6" },
} as const;

/** Asks which model to use. Resolves to undefined when the person cancels. */
export async function askModelChoice(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ModelChoice | undefined> {
  const servers = await detectLocalServers(USUAL_PORTS, signal);
  const chosen = await select({
    message: "Which model should Deputy use?",
    options: [
      ...servers.map((server) => ({
        value: server.baseUrl,
        label: `On this machine, ${server.baseUrl}`,
        hint: server.models.slice(0, 3).join(", "),
      })),
      { value: "anthropic", label: "Anthropic" },
      { value: "openai", label: "OpenAI" },
      { value: "rehearsal", label: "None yet", hint: "a script plays an example" },
    ],
  });
  if (isCancel(chosen)) return cancelled();
  if (chosen === "rehearsal") return { model: "rehearsal/tour" };
  const server = servers.find(({ baseUrl }) => baseUrl === chosen);
  if (server !== undefined) {
    const model = await select({
      message: "Which model?",
      options: server.models.map((value) => ({ value, label: value })),
    });
    return isCancel(model) ? cancelled() : { model: `local/${model}`, baseUrl: server.baseUrl };
  }
  return await askProvider(chosen === "openai" ? "openai" : "anthropic", env);
}

async function askProvider(
  provider: keyof typeof PROVIDERS,
  env: NodeJS.ProcessEnv,
): Promise<ModelChoice | undefined> {
  const { variable, example } = PROVIDERS[provider];
  const model = await text({ message: "Which model?", initialValue: example });
  if (isCancel(model)) return cancelled();
  if (env[variable]) {
    log.info(`The key is in ${variable}.`);
    return { model: `${provider}/${model}`, key: { kind: "reference", reference: `env:${variable}` } };
  }
  const value = await password({ message: "API key (saved in a file that only you can read)" });
  if (isCancel(value) || value === "") return cancelled();
  return { model: `${provider}/${model}`, key: { kind: "value", value: value.trim() } };
}

function cancelled(): undefined {
  cancel("Nothing was changed.");
  return undefined;
}
