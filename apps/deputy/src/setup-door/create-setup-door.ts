import type { SetupDoor } from "@deputy/gateway";
import { createModelsDoor } from "./models-door.ts";
import { createSettingsDoor } from "./settings-door.ts";
import { createSourcesDoor } from "./sources-door.ts";
import type { SetupDeps } from "./setup-deps.ts";

/** What the page can change. It is loaded when the page first asks for it. */
export function createSetupDoor(deps: SetupDeps): SetupDoor {
  return {
    ...createModelsDoor(deps),
    ...createSettingsDoor(deps),
    ...createSourcesDoor(deps),
  } as unknown as SetupDoor;
}
