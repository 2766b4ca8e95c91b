import type { SetupDoor } from "@deputy/gateway";
import { CodedError } from "@deputy/kit";
import { assertKnownModel, formatModelRef, parseModelRef } from "@deputy/model/ref";
import { modelChoices } from "../agents/model-choices.ts";
import { PROVIDER_VARIABLES, variablesOf } from "../agents/agent-models.ts";
import { AppError } from "../app-error.ts";
import { readCurrent } from "../config/read-current.ts";
import { isSecretReference } from "../config/secret-reference.ts";
import { keepModel, type ModelChoice, tryModel } from "../setup/connect-model.ts";
import { probeProblem } from "../doctor/probe-model.ts";
import {
  apiAddress,
  detectLocalServers,
  lookAtServer,
  lookProblem,
  type ModelServer,
  serverNameOf,
  USUAL_PORTS,
} from "../setup/model-servers.ts";
import type { SetupDeps } from "./setup-deps.ts";

type Provider = keyof typeof PROVIDER_VARIABLES;
const PROVIDERS = Object.keys(PROVIDER_VARIABLES) as Provider[];
const EXAMPLES: Partial<Record<Provider, string>> = { anthropic: "claude-sonnet-5-5", openai: "gpt-6-sol" };
const PROBE_MS = 60_000;

/** Connects a model from the page, as `deputy init` does in the terminal. */
export function createModelsDoor(
  deps: SetupDeps,
): Pick<SetupDoor, "models.status" | "models.look" | "models.connect" | "models.stop"> {
  const { home, env, redact } = deps;
  const { directory } = home;
  const providersNow = () => readCurrent(home).config.providers;

  const shownProvider = (provider: Provider) => {
    const { apiKey, baseUrl } = providersNow()[provider];
    const variables = PROVIDER_VARIABLES[provider];
    const key = env[variables.apiKey] ? variables.apiKey : wordsOfPlace(apiKey);
    const address = env[variables.baseUrl] || baseUrl;
    const example = EXAMPLES[provider];
    return {
      provider,
      ...(key !== undefined && { key }),
      ...(address !== undefined && { baseUrl: address }),
      ...(example !== undefined && { example }),
    };
  };

  /** Tries that are under way. */
  const tries = new Set<AbortController>();
  /** Undefined: the reader stopped it before it came to anything. */
  const stoppable = async <T>(
    signal: AbortSignal,
    work: (until: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    const stop = new AbortController();
    tries.add(stop);
    try {
      return await work(AbortSignal.any([signal, stop.signal]));
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      throw error;
    } finally {
      tries.delete(stop);
    }
  };

  return {
    "models.stop": async () => {
      for (const stop of tries) stop.abort();
      return { ok: true };
    },
    "models.status": async () => ({
      model: formatModelRef(deps.defaultModel),
      isRehearsal: deps.defaultModel.provider === "rehearsal",
      choices: modelChoices(home, deps.defaultModel),
      ...(env["DEPUTY_MODEL"] ? { fixedBy: "DEPUTY_MODEL" } : {}),
      providers: PROVIDERS.map(shownProvider),
    }),
    "models.look": async ({ baseUrl, key }, { signal }) => {
      if (baseUrl === undefined)
        return { servers: shownServers(await detectLocalServers(USUAL_PORTS, signal)) };
      const address = apiAddress(baseUrl);
      const look = await lookAtServer(address, key, signal);
      if (look.kind === "found") return { servers: shownServers([look]) };
      return { servers: [], problem: lookProblem(look, address) };
    },
    "models.connect": async ({ provider, model, baseUrl, key }, { signal }) => {
      if (env["DEPUTY_MODEL"])
        throw new AppError("not_available", "DEPUTY_MODEL was set where Deputy was started, and decides", {
          hint: "Start Deputy without it to choose a model here.",
        });
      const given = key?.trim();
      if (given !== undefined && !/^[\x21-\x7e]+$/.test(given))
        throw new AppError(
          "usage",
          "This is not a key: it contains blanks or characters that keys never have",
        );
      if (given !== undefined) deps.learnSecret(given);
      const address = baseUrl === undefined ? undefined : apiAddress(baseUrl);
      // A server elsewhere has a name of its own, so that several can be connected, each with its own key.
      const name = provider === "local" && address !== undefined ? serverNameOf(address) : provider;
      const ref = parseModelRef(`${name}/${model.trim()}`);
      assertKnownModel(ref, [name]);
      const { config } = readCurrent(home);
      const { providers, servers } = config;
      const kept = (name === provider ? providers[provider] : servers[name])?.apiKey;
      const choice: ModelChoice = {
        model: formatModelRef(ref),
        ...(given !== undefined
          ? { key: { kind: "value", value: given } }
          : kept !== undefined && !env[variablesOf(name).apiKey] && isSecretReference(kept)
            ? { key: { kind: "reference", reference: kept } }
            : {}),
        ...(address === undefined ? {} : { baseUrl: address }),
      };
      const outcome = await stoppable(signal, (until) => probe(choice, { directory, config }, env, until));
      if (outcome === undefined) return { outcome: "failed", message: "Stopped. Nothing was changed." };
      if (outcome.kind === "works") {
        keepModel(choice, directory, outcome.sees);
        return { outcome: "connected", model: choice.model };
      }
      if (outcome.kind !== "failed") return { outcome: outcome.kind, ...probeProblem(outcome.kind, model) };
      // Here the key is a field of a form, and not the variable that a daemon is started with.
      if (outcome.code === "wrong_key" || outcome.code === "missing_key")
        return {
          outcome: "failed",
          message:
            choice.key === undefined
              ? `${name} wants a key.`
              : `${name} refused this key, or it may not use ${model}.`,
          hint: "Nothing was changed.",
        };
      return {
        outcome: "failed",
        message: redact(outcome.message),
        hint: redact(outcome.hint ?? "Nothing was changed."),
      };
    },
  };
}

/** Rejects only for what the user cannot have caused. */
async function probe(...[choice, home, env, signal]: Parameters<typeof tryModel>) {
  const limit = AbortSignal.timeout(PROBE_MS);
  try {
    return await tryModel(choice, home, env, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      return {
        kind: "failed" as const,
        message: "The model did not answer within a minute.",
        code: undefined,
      };
    if (!(error instanceof CodedError)) throw error;
    return {
      kind: "failed" as const,
      message: error.message,
      code: error.code,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
}

function shownServers(servers: readonly ModelServer[]) {
  return servers.map(({ baseUrl, models }) => ({ baseUrl, models: [...models] }));
}

function wordsOfPlace(reference: string | undefined): string | undefined {
  if (reference === undefined || !isSecretReference(reference)) return undefined;
  return reference.startsWith("env:") ? reference.slice(4) : "a file of Deputy's home";
}
