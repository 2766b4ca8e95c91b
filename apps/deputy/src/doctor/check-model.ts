import { CodedError } from "@deputy/kit";
import type { Model } from "@deputy/model";
import { formatModelRef } from "@deputy/model/ref";
import { createAgentModels } from "../agents/agent-models.ts";
import { agentsSettings } from "../agents/agents-settings.ts";
import { defaultModelRef } from "../choose-model-ref.ts";
import type { Config } from "../config.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";
import { probeModel, probeProblem } from "./probe-model.ts";

const KEYS: Readonly<Record<string, string>> = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" };
const PROBE_MS = 60_000;

/** The default agent's model: its name, its key, and with `online` whether it answers and calls. */
export async function checkModel(
  home: { readonly directory: string; readonly config: Config },
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): Promise<Finding> {
  const { providers, servers } = home.config;
  let model: Model;
  try {
    const settings = agentsSettings(home.config);
    const models = createAgentModels(home, env, settings);
    model = models.of(settings.defaultAgent, formatModelRef(defaultModelRef(settings, env)));
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return wrong("model", error.message, error.hint ?? "Run deputy init to set it up.");
  }
  const name = formatModelRef(model.ref);
  if (model.ref.provider === "rehearsal")
    return advise("model", `${name}: a script, no language model.`, "deputy init connects one.");
  const variable = KEYS[model.ref.provider];
  const inConfig = model.ref.provider === "anthropic" ? providers.anthropic.apiKey : providers.openai.apiKey;
  const own = servers[model.ref.provider];
  if (own !== undefined && online === "offline")
    return ok("model", `${name}, at ${own.baseUrl}; --online calls it.`);
  if (variable !== undefined && !env[variable] && !inConfig)
    return wrong("model", `${name} has no key.`, `Set ${variable}, or run deputy init.`);
  if (online === "offline") return ok("model", `${name}; --online calls it.`);
  const outcome = await probeModel(model, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
  switch (outcome.kind) {
    case "works":
      return ok("model", `${name} answers, and calls tools.`);
    case "calls_nothing":
    case "no_programs":
      return wrong(
        "model",
        probeProblem(outcome.kind, name).message,
        "Choose a model that does: deputy init.",
      );
    default:
      return wrong(
        "model",
        `${name}: ${outcome.message}`,
        outcome.hint ?? "Run deputy init to set it up again.",
      );
  }
}
