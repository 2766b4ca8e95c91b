import { createSystemClock, makeVisible } from "@deputy/kit";
import { type Catalogue, createCatalogue, type ToolSource, ToolsError } from "@deputy/tools";
import type { NetAudit } from "@deputy/net";
import type { MeaningSearch } from "@deputy/search/meaning";
import { OWN_NAMESPACES } from "@deputy/builtins";
import type { openPlugin } from "@deputy/tools/node";
import { withBuiltins, openBuiltins } from "./builtins/open-builtins.ts";
import { findBundleLayout } from "./bundle-layout.ts";
import type { Config } from "./config.ts";
import type { Home } from "./home.ts";
import { assertOwnPlugin, assertOwnPlugins, discoverPlugins } from "./sources/home-plugins.ts";
import { pluginFile } from "./sources/plugin-file.ts";
import { openSeenTypes } from "./sources/seen-types-file.ts";

export interface SourceDeps {
  /** The home's directory. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly warn: (text: string) => void;
  /** Called with secrets that sources obtain, such as access tokens. */
  readonly learnSecret: (value: string) => void;
  /** Records every request that a source makes. */
  readonly audit: NetAudit;
  readonly signal: AbortSignal;
  /** Gets what must be closed in the end; absent if nothing will be called. */
  readonly own?: (resource: AsyncDisposable) => void;
}

/** For tools that are only listed: no token is requested, and only documents are fetched. */
export const NOTHING_IS_CALLED = {
  learnSecret: () => undefined,
  audit: () => undefined,
} satisfies Pick<SourceDeps, "learnSecret" | "audit">;

/**
 * Loads every source in order, beside Deputy's own tools; relative paths start at the home. Throws a
 * `ToolsError` naming the file.
 */
export async function loadCatalogue(
  sources: Config["toolSources"],
  home: Home,
  deps: Pick<SourceDeps, "env" | "warn" | "signal">,
  meaning?: MeaningSearch,
): Promise<Catalogue> {
  assertOwnPlugins(home);
  const builtins = await openBuiltins(home, deps.env);
  const sourceDeps = { ...deps, home: home.directory, ...NOTHING_IS_CALLED };
  const loaded = [...(await loadSources(sources, sourceDeps))];
  const known = new Set(loaded.map(({ source }) => source));
  for (const file of discoverPlugins(home.directory).filter((one) => !known.has(one))) {
    try {
      loaded.push(...(await loadSource(file, sourceDeps)));
    } catch (error) {
      if (!(error instanceof ToolsError)) throw error;
      deps.warn(`${error.message}; it is left out`);
    }
  }
  return createCatalogue(withBuiltins(builtins, loaded), [], openSeenTypes(home.directory), meaning);
}

/**
 * The sources without Deputy's own tools, before they are joined into one namespace. A file that is named twice is
 * loaded once. An OpenAPI document, or an MCP server's pins, that cannot be read is left out with a warning: the user
 * may not be able to fix it.
 */
export async function loadSources(
  sources: Config["toolSources"],
  deps: SourceDeps,
): Promise<readonly ToolSource[]> {
  const loaded: ToolSource[] = [];
  const files = new Set<string>();
  for (const source of sources) {
    const file = typeof source === "string" ? pluginFile(deps.home, source) : undefined;
    if (file !== undefined && files.has(file)) continue;
    if (file !== undefined) files.add(file);
    loaded.push(...(await loadSource(file ?? source, deps)));
  }
  return loaded;
}

/**
 * Loads one of them; undefined after a warning. Loads the current file of a plugin. Rejects like
 * `loadSources`, and with `home_unusable` for a plugin of the home that others can change.
 */
export async function loadSource(
  source: Config["toolSources"][number],
  deps: SourceDeps,
): Promise<readonly ToolSource[]> {
  if (typeof source === "string") {
    assertOwnPlugin(deps.home, source);
    const { openPlugin } = await import("@deputy/tools/node");
    const plugin = await openPlugin(source, { ...pluginDeps(deps.env), signal: deps.signal });
    deps.own?.(plugin);
    return [{ source, tree: plugin.tree }];
  }
  if (source.type === "mcp") {
    const { loadMcp } = await import("./sources/load-mcp.ts");
    // By its name, because an approval may add its tools later.
    return isOurs(source.name, [source.name], deps) ? [] : [loadMcp(source, deps)];
  }
  const { loadOpenApi } = await import("./sources/load-openapi.ts");
  const found = await loadOpenApi(source, { ...deps, clock: createSystemClock() });
  return found === undefined || isOurs(found.source, Object.keys(found.tree), deps) ? [] : [found];
}

/**
 * The settings for plugins' processes. A plugin's output goes where `console` does: to stderr, or onto the screen of
 * a chat.
 */
export function pluginDeps(env: NodeJS.ProcessEnv): Omit<Parameters<typeof openPlugin>[1], "signal"> {
  const { pluginModules } = findBundleLayout();
  // oxlint-disable-next-line no-console -- a chat on the screen captures it
  return { env, modules: pluginModules, print: (line) => console.log(line) };
}

/** A plugin is the user's own and may replace Deputy's tools; other sources may not, and a warning says so. */
function isOurs(source: string, namespaces: readonly string[], { warn }: Pick<SourceDeps, "warn">): boolean {
  const taken = namespaces.find((name) => OWN_NAMESPACES.has(name));
  if (taken === undefined) return false;
  warn(
    `Tool source ${makeVisible(source)} is left out: tools.${taken} are Deputy's own. Give it another name in the settings.`,
  );
  return true;
}
