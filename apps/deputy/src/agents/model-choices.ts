import type { ModelRef } from "@deputy/model";
import { formatModelRef } from "@deputy/model/ref";
import { readCurrent } from "../config/read-current.ts";
import type { Home } from "../home.ts";
import { agentsSettings } from "./agents-settings.ts";

/** The models that a conversation may choose from, as the settings are now; the default one first. */
export function modelChoices(home: Home, defaultModel: ModelRef): string[] {
  const { config } = readCurrent(home);
  const { forAll, bySlug } = agentsSettings(config);
  const own = [...bySlug.values()].flatMap(({ model }) => model ?? []);
  return [
    ...new Set([
      formatModelRef(defaultModel),
      ...config.models,
      ...(forAll.model === undefined ? [] : [forAll.model]),
      ...own,
    ]),
  ];
}
