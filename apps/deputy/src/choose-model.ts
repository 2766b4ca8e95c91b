import { createRehearsalModel, type Model, ModelError, parseModelRef } from "@deputy/model";
import type { Config } from "./config.ts";

const DEFAULT_MODEL = "rehearsal/tour";

/** `DEPUTY_MODEL`, else the config's model, else the rehearsal. Throws a `ModelError`. */
export function chooseModel(config: Config, env: NodeJS.ProcessEnv): Model {
  const ref = parseModelRef(env["DEPUTY_MODEL"] || config.model || DEFAULT_MODEL);
  if (ref.provider === "rehearsal") {
    if (ref.model === "tour") return createRehearsalModel(ref);
    throw new ModelError("unknown_model", `There is no rehearsal model “${ref.model}”`, {
      hint: "Use rehearsal/tour.",
    });
  }
  throw new ModelError("unknown_provider", `Models of “${ref.provider}” cannot be used by this version`, {
    hint: "Use rehearsal/tour, or leave DEPUTY_MODEL and `model` unset.",
  });
}
