import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { makeVisible } from "@deputy/kit";
import type { CreateSandbox, OuterSandbox } from "@deputy/tools";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { assertOwnPlugin } from "../sources/home-plugins.ts";

/**
 * The sandbox that the settings name, by its module: the user's own code, which runs in this process. Throws
 * `config_invalid` for a module that is none, and `home_unusable` for one that others could change.
 */
export async function openOwnSandbox(
  { directory, config }: Pick<Home, "directory" | "config">,
  name: string,
): Promise<OuterSandbox> {
  const found = config.tools.bash.sandboxes[name];
  if (found === undefined)
    throw new AppError("config_invalid", `There is no sandbox ${makeVisible(name)}`, {
      hint: "tools.bash.sandbox is auto, bubblewrap, none, or a name of tools.bash.sandboxes.",
    });
  const file = resolve(directory, found.module);
  assertOwnPlugin(directory, file);
  const wrong = (why: string, cause?: unknown): AppError =>
    new AppError("config_invalid", `The sandbox ${makeVisible(file)} ${why}`, {
      cause,
      hint: `tools.bash.sandboxes.${name}.module names a file whose default export makes a sandbox: docs/sandboxes.md.`,
    });
  let create: unknown;
  try {
    ({ default: create } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown });
  } catch (cause) {
    throw wrong(`cannot be loaded: ${messageOf(cause)}`, cause);
  }
  if (typeof create !== "function") throw wrong("has no function as its default export");
  let made: OuterSandbox;
  try {
    made = (create as CreateSandbox)({ name, settings: found.settings });
  } catch (cause) {
    throw wrong(`does not work here: ${messageOf(cause)}`, cause);
  }
  if (typeof made?.name !== "string" || typeof made.enter !== "function" || typeof made.promises !== "object")
    throw wrong("does not make a sandbox");
  // What is in the log and in the settings is the same.
  if (made.name !== name) throw wrong(`calls itself ${makeVisible(made.name)}, not ${name}`);
  return made;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? makeVisible(cause.message) : "it threw";
}
