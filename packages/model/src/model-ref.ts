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

export function formatModelRef(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

/**
 * Throws `unknown_provider`, or `unknown_model` for a rehearsal that does not exist. Other unknown models
 * show later.
 */
export function assertKnownModel({ provider, model }: ModelRef): void {
  if (provider === "rehearsal" && model !== "tour") {
    throw new ModelError("unknown_model", `There is no rehearsal model “${model}”`, {
      hint: "Use rehearsal/tour.",
    });
  }
  if (["anthropic", "openai", "local", "rehearsal"].includes(provider)) return;
  throw new ModelError("unknown_provider", `Models of “${provider}” cannot be used by this version`, {
    hint: "Use anthropic/…, openai/…, local/… or rehearsal/tour.",
  });
}
