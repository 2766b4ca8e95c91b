import { createSystemClock } from "@deputy/kit";
import { createModel } from "@deputy/model";
import { canSee, type Vision } from "@deputy/model/can-see";
import { formatModelRef, OWN_PROVIDERS, parseModelRef } from "@deputy/model/ref";
import { variablesOf } from "../agents/agent-models.ts";
import { withSetting } from "../config/change-config.ts";
import { changeConfigFile, configFileOf } from "../config/config-file.ts";
import { parseJson } from "../config/parse-config.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import { type ProbeOutcome, probeModel } from "../doctor/probe-model.ts";
import type { Home } from "../home.ts";
import { keepSecret } from "./keep-secret.ts";

/** A model, and how it is reached. */
export interface ModelChoice {
  /** In the form `provider/model`. */
  readonly model: string;
  /** The place of the key; absent when none is needed, or the provider's own variable has it. */
  readonly key?: KeyPlace;
  readonly baseUrl?: string;
}

export type KeyPlace =
  | { readonly kind: "reference"; readonly reference: string }
  /** To be saved in a file of the home, for its owner only. */
  | { readonly kind: "value"; readonly value: string };

/**
 * Tries it out with a call and its answer. It need not write programs where the home's agents use functions. Throws
 * `secret_unavailable`, a `ModelError`, or the signal's reason.
 */
export async function tryModel(
  { model, key, baseUrl }: ModelChoice,
  { directory: home, config }: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const ref = parseModelRef(model);
  if (ref.provider === "rehearsal") return { kind: "works" };
  const given = key === undefined ? undefined : secretAt(key, env, home);
  const { apiKey: keyVariable, baseUrl: urlVariable } = variablesOf(ref.provider);
  const address = baseUrl ?? env[urlVariable];
  const settings = {
    ...(!OWN_PROVIDERS.includes(ref.provider) && address
      ? { servers: { [ref.provider]: { baseUrl: address, apiKey: given ?? env[keyVariable] } } }
      : {}),
    anthropicApiKey: given ?? env["ANTHROPIC_API_KEY"],
    anthropicBaseUrl: baseUrl ?? env["ANTHROPIC_BASE_URL"],
    openaiApiKey: given ?? env["OPENAI_API_KEY"],
    openaiBaseUrl: baseUrl ?? env["OPENAI_BASE_URL"],
    localApiKey: given ?? env["DEPUTY_LOCAL_API_KEY"],
    localBaseUrl: baseUrl ?? env["DEPUTY_LOCAL_BASE_URL"],
  };
  const create = (vision: Vision) =>
    createModel(ref, { settings, fetch, vision, clock: createSystemClock() });
  const probed = await probeModel(create({}), signal);
  const isNoMatter = probed.kind === "no_programs" && config.agent.mode === "functions";
  const outcome: ProbeOutcome = isNoMatter ? { kind: "works" } : probed;
  if (outcome.kind !== "works" || NAMES_TELL.has(ref.provider)) return outcome;
  const { probeSight } = await import("../doctor/probe-sight.ts");
  const sees = await probeSight(create({ [formatModelRef(ref)]: true }), signal);
  return sees === undefined ? outcome : { ...outcome, sees };
}

/** Of all others anybody may have any model under any name, so they are shown a picture. */
const NAMES_TELL: ReadonlySet<string> = new Set(["anthropic", "openai"]);

/** The key itself. Throws `secret_unavailable`. */
export function secretAt(key: KeyPlace, env: NodeJS.ProcessEnv, home: string): string {
  return key.kind === "value" ? key.value : resolveSecret(key.reference, env, home);
}

/**
 * Saves the choice: a key in a separate file (0600), its place in the configuration; and whether it can see, if that was
 * tried and its name does not tell.
 */
export function keepModel({ model, key, baseUrl }: ModelChoice, home: string, sees?: boolean): void {
  const ref = parseModelRef(model);
  const { provider } = ref;
  const place = OWN_PROVIDERS.includes(provider) ? "providers" : "servers";
  const reference =
    key === undefined
      ? undefined
      : key.kind === "reference"
        ? key.reference
        : keepSecret(home, provider, key.value);
  const changes: [readonly string[], string | undefined][] = [
    [["agent", "model"], model],
    [[place, provider, "baseUrl"], baseUrl],
    [[place, provider, "apiKey"], reference],
  ];
  changeConfigFile(home, (text) => {
    let raw = parseJson(text ?? "{}", configFileOf(home));
    for (const [path, value] of changes) if (value !== undefined) raw = withSetting(raw, path, value);
    if (sees !== undefined && sees !== canSee(ref, visionOf(raw)))
      raw = withSetting(raw, ["vision", model], String(sees));
    const before = modelsOf(raw);
    if (!before.includes(model)) raw = withSetting(raw, ["models"], JSON.stringify([...before, model]));
    return `${JSON.stringify(raw, null, 2)}\n`;
  });
}

/** Those that were connected before. What is no list stays for its own check to complain of. */
function modelsOf(raw: unknown): readonly unknown[] {
  const { models } = (raw ?? {}) as { readonly models?: unknown };
  return Array.isArray(models) ? models : [];
}

function visionOf(raw: unknown): Vision {
  const { vision } = (raw ?? {}) as { readonly vision?: unknown };
  return typeof vision === "object" && vision !== null ? (vision as Vision) : {};
}
