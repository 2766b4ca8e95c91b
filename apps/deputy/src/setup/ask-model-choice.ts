import { cancel, isCancel, log, password, select, text } from "@clack/prompts";
import {
  apiAddress,
  detectLocalServers,
  lookAtServer,
  lookProblem,
  serverNameOf,
  USUAL_PORTS,
} from "./model-servers.ts";
import { makeVisible } from "@deputy/kit";
import type { ModelChoice } from "./connect-model.ts";

const PROVIDERS = {
  anthropic: { variable: "ANTHROPIC_API_KEY", example: "claude-sonnet-5" },
  openai: { variable: "OPENAI_API_KEY", example: "gpt-6-sol" },
} as const;

/** So many are shown at once; the rest scrolls. */
const SHOWN_MODELS = 12;

/** Asks which model to use; of the server at an address, if one is given. Resolves to undefined when the person cancels. */
export async function askModelChoice(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  given?: string,
): Promise<ModelChoice | undefined> {
  if (given !== undefined) return await askServer(given, signal);
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
      { value: "server", label: "Another server", hint: "OpenRouter, vLLM, LM Studio, Ollama elsewhere, …" },
      { value: "rehearsal", label: "None yet", hint: "a script plays an example" },
    ],
  });
  if (isCancel(chosen)) return cancelled();
  if (chosen === "rehearsal") return { model: "rehearsal/tour" };
  if (chosen === "server") {
    const address = await text({
      message: "Its address",
      placeholder: "https://openrouter.ai/api/v1",
      validate: (typed) => (isAddress(typed ?? "") ? undefined : "Such as http://127.0.0.1:11434"),
    });
    return isCancel(address) ? cancelled() : await askServer(apiAddress(address), signal);
  }
  const server = servers.find(({ baseUrl }) => baseUrl === chosen);
  if (server !== undefined) {
    const model = await pickModel(server.models);
    return model === undefined ? cancelled() : { model: `local/${model}`, baseUrl: server.baseUrl };
  }
  return await askProvider(chosen === "openai" ? "openai" : "anthropic", env);
}

async function pickModel(models: readonly string[]): Promise<string | undefined> {
  const model = await select({
    message: "Which model?",
    maxItems: SHOWN_MODELS,
    options: models.map((value) => ({ value, label: makeVisible(value) })),
  });
  return isCancel(model) ? undefined : model;
}

async function nameModel(): Promise<string | undefined> {
  const model = await text({ message: "Which model?" });
  return isCancel(model) || model.trim() === "" ? undefined : model.trim();
}

function isAddress(typed: string): boolean {
  try {
    return apiAddress(typed) !== "";
  } catch {
    return false;
  }
}

/** Any server with an API like OpenAI's: asks for a key only if it wants one, and shows its models. */
async function askServer(address: string, signal: AbortSignal): Promise<ModelChoice | undefined> {
  let key: string | undefined;
  let look = await lookAtServer(address, undefined, signal);
  if (look.kind === "refused" || address.startsWith("https:")) {
    const typed = await password({
      message: "API key (saved in a file that only you can read; empty if it needs none)",
    });
    if (isCancel(typed)) return cancelled();
    key = typed?.trim() || undefined;
    if (key !== undefined) look = await lookAtServer(address, key, signal);
  }
  if (look.kind !== "found") log.warn(lookProblem(look, address));
  const model = look.kind === "found" ? await pickModel(look.models) : await nameModel();
  if (model === undefined) return cancelled();
  return {
    model: `${serverNameOf(address)}/${model}`,
    baseUrl: look.kind === "found" ? look.baseUrl : address,
    ...(key === undefined ? {} : { key: { kind: "value", value: key } }),
  };
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
