import { resolve } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { type Catalogue, createCatalogue, type NetAudit, type ToolSource } from "@deputy/tools";
import { installPluginResolution, loadPlugin } from "@deputy/tools/node";
import { AppError } from "./app-error.ts";
import { withBuiltins } from "./builtins/builtin-sources.ts";
import { openBuiltins } from "./builtins/open-builtins.ts";
import { findBundleLayout } from "./bundle-layout.ts";
import type { Config } from "./config.ts";
import type { Home } from "./home.ts";

export interface SourceDeps {
  /** The home's directory. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly warn: (text: string) => void;
  /** Told of secrets that sources come to have, such as access tokens. */
  readonly learnSecret: (value: string) => void;
  /** Told of every request that a source makes. */
  readonly audit: NetAudit;
  readonly signal: AbortSignal;
  /** Takes what must be closed in the end; absent where nothing will be called. */
  readonly own?: (resource: AsyncDisposable) => void;
}

/** For tools that are only looked at: no token is made, and nothing is asked for but documents. */
export const NOTHING_IS_CALLED = {
  learnSecret: () => undefined,
  audit: () => undefined,
} satisfies Pick<SourceDeps, "learnSecret" | "audit">;

/**
 * Loads every source in order, beside Deputy's own tools; relative paths are from the home. Throws a `ToolsError` naming the file.
 */
export async function loadCatalogue(
  sources: Config["toolSources"],
  home: Home,
  deps: Pick<SourceDeps, "env" | "warn" | "signal">,
): Promise<Catalogue> {
  const builtins = await openBuiltins(home, deps.env);
  const sourceDeps = { ...deps, home: home.directory, ...NOTHING_IS_CALLED };
  return createCatalogue(withBuiltins(builtins, await loadSources(sources, sourceDeps)));
}

/**
 * The same without Deputy's own, before they become one namespace. A file that is named twice is loaded once. An
 * OpenAPI document or an MCP server's pins that cannot be had or read are left out, with a warning: it may be for
 * others to mend.
 */
export async function loadSources(
  sources: Config["toolSources"],
  deps: SourceDeps,
): Promise<readonly ToolSource[]> {
  const loaded: ToolSource[] = [];
  const files = new Set<string>();
  for (const source of sources) {
    if (typeof source !== "string") {
      if (source.type === "mcp") {
        const { loadMcp } = await import("./sources/load-mcp.ts");
        const found = loadMcp(source, deps);
        if (found !== undefined) loaded.push(found);
        continue;
      }
      const { loadOpenApi } = await import("./sources/load-openapi.ts");
      const found = await loadOpenApi(source, { ...deps, clock: createSystemClock() });
      if (found !== undefined) loaded.push(found);
      continue;
    }
    const file = resolve(deps.home, source);
    if (files.has(file)) continue;
    if (files.size === 0) installPluginResolution(findBundleLayout().pluginModules);
    files.add(file);
    loaded.push({ source: file, tree: await loadPlugin(file) });
  }
  return loaded;
}
