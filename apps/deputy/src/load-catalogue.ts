import { resolve } from "node:path";
import { type Catalogue, createCatalogue, type ToolSource } from "@deputy/tools";
import { installPluginResolution, loadPlugin } from "@deputy/tools/node";
import { AppError } from "./app-error.ts";
import { withBuiltins } from "./builtins/builtin-sources.ts";
import { openBuiltins } from "./builtins/open-builtins.ts";
import { findBundleLayout } from "./bundle-layout.ts";
import type { Config } from "./config.ts";
import type { Home } from "./home.ts";

/**
 * Loads every source in order, beside Deputy's own tools; relative paths are from the home. Throws a `ToolsError` naming the file,
 * or `not_available` for a kind of source of a later version.
 */
export async function loadCatalogue(
  sources: Config["toolSources"],
  home: Home,
  env: NodeJS.ProcessEnv,
): Promise<Catalogue> {
  const builtins = await openBuiltins(home, env);
  return createCatalogue(withBuiltins(builtins, await loadSources(sources, home.directory)));
}

/** The same without Deputy's own, before they become one namespace. A file that is named twice is loaded once. */
export async function loadSources(
  sources: Config["toolSources"],
  home: string,
): Promise<readonly ToolSource[]> {
  const files = sources.map((source) => {
    if (typeof source === "string") return resolve(home, source);
    throw new AppError(
      "not_available",
      `Tool source “${source.name}” is of type ${source.type}, which is not available yet`,
      {
        hint: "Remove it from toolSources; plugin files work.",
      },
    );
  });
  if (files.length > 0) installPluginResolution(findBundleLayout().pluginModules);
  const trees: ToolSource[] = [];
  for (const file of new Set(files)) trees.push({ source: file, tree: await loadPlugin(file) });
  return trees;
}
