import { AppError } from "../app-error.ts";
import { configFileOf } from "../config/config-file.ts";
import type { Home } from "../home.ts";
import { readHooks } from "../hooks/hooks-file.ts";

/** Throws `config_invalid` if a source has the name of a hook, because that name would be ambiguous. */
export function assertOwnNames({ directory, config }: Home): void {
  if (config.events.length === 0) return;
  const hooks = new Set(readHooks(directory).map(({ name }) => name));
  const both = config.events.find(({ name }) => hooks.has(name));
  if (both === undefined) return;
  throw new AppError(
    "config_invalid",
    `${configFileOf(directory)}: events has “${both.name}”, which is the name of a hook`,
    {
      hint: `Give it another name, or remove the hook: \`deputy hooks remove ${both.name}\`.`,
    },
  );
}
