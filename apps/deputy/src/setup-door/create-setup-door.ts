import type { SetupDoor } from "@deputy/gateway";
import { checkEverything } from "../doctor/check-everything.ts";
import type { Finding } from "../doctor/finding.ts";
import { createChannelsDoor } from "./channels-door.ts";
import { createDocumentsDoor } from "./documents-door.ts";
import { createModelsDoor } from "./models-door.ts";
import { createSettingsDoor } from "./settings-door.ts";
import type { SetupDeps } from "./setup-deps.ts";
import { createSourcesDoor } from "./sources-door.ts";

/** What the page can change. It is loaded when the page first asks for it. */
export function createSetupDoor(deps: SetupDeps): SetupDoor {
  const { home, env, redact } = deps;
  const shown = ({ message, fix, ...finding }: Finding) => ({
    ...finding,
    // The page has a button for it.
    message: redact(message.replace("; --online calls it.", ".")),
    ...(fix !== undefined && { fix: redact(fix) }),
  });
  return {
    ...createModelsDoor(deps),
    ...createSettingsDoor(deps),
    ...createDocumentsDoor(deps),
    ...createSourcesDoor(deps),
    ...createChannelsDoor(deps),
    "doctor.check": async ({ online }, { signal }) => {
      const how = online === true ? "online" : "offline";
      return { findings: await Array.fromAsync(checkEverything(home.directory, env, how, signal), shown) };
    },
  };
}
