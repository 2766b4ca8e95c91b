import { AppError } from "../app-error.ts";
import { configFileOf } from "../config/config-file.ts";
import type { Home } from "../home.ts";
import { readHooks } from "../hooks/hooks-file.ts";

/** Throws `config_invalid` when a source has the name of a hook: what names either would name both. */
export function assertOwnNames({ directory, config }: Home): void {
  if (config.events.length === 0) return;
  const hooks = new Set(readHooks(directory).map(({ name }) => name));
  const both = config.events.find(({ name }) => hooks.has(name));
  if (both === undefined) return;
  throw new AppError(
    "config_invalid",
    `${configFileOf(directory)}: events has “${both.name}”, as a hook is called`,
    {
      hint: `Give it another name, or take the hook away: \`deputy hooks remove ${both.name}\`.`,
    },
  );
}
