export { efforts } from "./model.ts";
import type { ModelRef } from "./model.ts";
import { ModelError } from "./model-error.ts";

/** `provider/model`; the model's own name may contain slashes. Throws `invalid_model_ref`. */
export function parseModelRef(text: string): ModelRef {
  const slash = text.indexOf("/");
  const provider = text.slice(0, slash);
  const model = text.slice(slash + 1);
  if (slash <= 0 || model === "" || !/^[a-z][a-z0-9-]*$/.test(provider) || /\s/.test(model)) {
    throw new ModelError("invalid_model_ref", `“${text}” does not name a model`, {
      hint: "Write provider/model, for example rehearsal/tour.",
    });
  }
  return { provider, model };
}

/** Those that need no address. Further servers have other names. */
export const OWN_PROVIDERS: readonly string[] = ["anthropic", "openai", "local", "rehearsal"];

export function formatModelRef(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

/**
 * `servers`: the further ones that the settings name. Throws `unknown_provider`, or `unknown_model` for a rehearsal that does not exist. Other unknown models
 * show later.
 */
export function assertKnownModel({ provider, model }: ModelRef, servers: readonly string[] = []): void {
  if (provider === "rehearsal" && model !== "tour") {
    throw new ModelError("unknown_model", `There is no rehearsal model “${model}”`, {
      hint: "Use rehearsal/tour.",
    });
  }
  if (OWN_PROVIDERS.includes(provider) || servers.includes(provider)) return;
  throw new ModelError("unknown_provider", `There is no provider “${provider}”`, {
    hint: "Use anthropic/…, openai/…, local/… or rehearsal/tour; `deputy init` connects any server with an API like OpenAI's.",
  });
}

/** The variables that override the settings of a server with this name. */
export function serverVariables(name: string): {
  readonly urlVariable: string;
  readonly keyVariable: string;
} {
  const prefix = `DEPUTY_${name.toUpperCase().replaceAll("-", "_")}`;
  return { urlVariable: `${prefix}_BASE_URL`, keyVariable: `${prefix}_API_KEY` };
}
