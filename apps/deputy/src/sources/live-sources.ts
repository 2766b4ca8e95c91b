import { resolve } from "node:path";
import { CodedError, isAbort } from "@deputy/kit";
import { createCatalogue, type ToolSource } from "@deputy/tools";
import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";
import { configFileOf, readConfigFile } from "../config/config-file.ts";
import { parseConfig, parseJson } from "../config/parse-config.ts";
import { toolSourcesOf } from "../config/tool-source-schema.ts";
import { stampOf } from "../config/config-file.ts";
import type { Home } from "../home.ts";
import type { SourceDeps } from "../load-catalogue.ts";
import { discoverPlugins } from "./home-plugins.ts";
import { pluginFile } from "./plugin-file.ts";
import { isRemoteSpec, specPinFile } from "./spec-place.ts";

/** The sources of tools, for the current settings and plugins. */
export interface LiveSources {
  /**
   * The same list as before while nothing has changed. A changed source that cannot be loaded keeps its old version,
   * and is reported once. Rejects only with the signal's reason.
   */
  current(): Promise<readonly ToolSource[]>;
}

type Setting = Config["toolSources"][number];

interface Loaded {
  readonly setting: Setting;
  /** Identifies the version that was loaded, or failed to load; changes with the file. */
  readonly stamp: string;
  readonly sources: readonly ToolSource[];
}

/**
 * Loads the sources of the settings and `plugins`, and rejects like `loadSources`, unless broken ones are left out; then those of the home's
 * `plugins` folder, leaving out one that cannot be loaded, with a warning. What a removed source has opened
 * is closed with the rest.
 */
export async function openLiveSources(deps: {
  readonly home: Home;
  /** In addition to those of the settings, as absolute paths; they stay. */
  readonly plugins: readonly string[];
  /** The sources of the embedding program; they do not change. */
  readonly embedded?: readonly ToolSource[];
  readonly source: SourceDeps;
  /** Whether it opens without a source of the settings that cannot be loaded. */
  readonly broken?: "refused" | "left_out" | undefined;
}): Promise<LiveSources> {
  const { home, embedded = [], source } = deps;
  const settingsNow = watchSettings(home);
  let known: ReadonlyMap<string, Loaded> = new Map();
  let list: readonly ToolSource[] = embedded;

  const load = async (setting: Setting): Promise<readonly ToolSource[]> => {
    const { loadSource } = await import("../load-catalogue.ts");
    const found = await loadSource(setting, source);
    // Problems with its tools are reported now, while the older version still exists.
    createCatalogue(found);
    return found;
  };

  const refresh = async (): Promise<void> => {
    const next = new Map<string, Loaded>();
    for (const [key, setting] of wanted()) {
      const before = known.get(key);
      const stamp = stampOfSetting(home.directory, setting);
      if (before?.stamp === stamp) next.set(key, renewed(before));
      else next.set(key, { setting, stamp, sources: await loadOrKeep(setting, before) });
    }
    const isSame =
      next.size === known.size && [...next].every(([key, one]) => known.get(key)?.sources === one.sources);
    known = next;
    if (!isSame) list = [...embedded, ...[...next.values()].flatMap(({ sources }) => sources)];
  };
  const loadOrKeep = async (setting: Setting, before: Loaded | undefined): Promise<readonly ToolSource[]> => {
    try {
      return await load(setting);
    } catch (error) {
      if (isAbort(error)) throw error;
      const why = error instanceof CodedError ? error.message : "it failed";
      source.warn(`${why}; ${before === undefined ? "it is left out" : "what was loaded before stays"}`);
      return before?.sources ?? [];
    }
  };
  const wanted = (): ReadonlyMap<string, Setting> => {
    const found = new Map<string, Setting>();
    const all = [...settingsNow(), ...deps.plugins, ...discoverPlugins(home.directory)];
    for (const setting of all) {
      const named = typeof setting === "string" ? fileOf(home.directory, setting) : setting;
      found.set(JSON.stringify(named), named);
    }
    return found;
  };

  const first = new Map<string, Loaded>();
  for (const setting of deps.broken === "left_out" ? [] : [...settingsNow(), ...deps.plugins]) {
    const named = typeof setting === "string" ? pluginFile(home.directory, setting) : setting;
    const key = JSON.stringify(named);
    if (first.has(key)) continue;
    const { loadSources } = await import("../load-catalogue.ts");
    const stamp = stampOfSetting(home.directory, named);
    first.set(key, { setting: named, stamp, sources: await loadSources([named], source) });
  }
  known = first;
  list = [...embedded, ...[...first.values()].flatMap(({ sources }) => sources)];
  await refresh();

  let under: Promise<void> | undefined;
  return {
    async current() {
      under ??= refresh().finally(() => {
        under = undefined;
      });
      await under;
      return list;
    },
  };
}

/** The new state of a source that changed by itself, for example by an approval in another process. */
function renewed(before: Loaded): Loaded {
  const sources = before.sources.map((source) => source.renewed?.() ?? source);
  const isSame = sources.every((source, at) => source === before.sources[at]);
  return isSame ? before : { ...before, sources };
}

/** A missing file is reported when it is loaded. */
function fileOf(home: string, entry: string): string {
  try {
    return pluginFile(home, entry);
  } catch {
    return resolve(home, entry);
  }
}

function stampOfSetting(home: string, setting: Setting): string {
  if (typeof setting === "string") return stampOf(setting) ?? "gone";
  if (setting.type !== "openapi") return "";
  // The user's approvals in another process count from the next message on.
  if (isRemoteSpec(setting.spec)) return stampOf(specPinFile(setting, home)) ?? "unpinned";
  return stampOf(resolve(home, setting.spec)) ?? "gone";
}

/** The file's current settings. While it is missing or invalid, its last valid ones. */
function watchSettings(home: Home): () => Config["toolSources"] {
  const file = configFileOf(home.directory);
  let toolSources = toolSourcesOf(home.config);
  // The settings that the home was opened with may be older than the file by now.
  let seen: string | undefined;
  return () => {
    const stamp = stampOf(file);
    if (stamp === seen || stamp === undefined) return toolSources;
    seen = stamp;
    try {
      toolSources = toolSourcesOf(parseConfig(parseJson(readConfigFile(home.directory), file), file).config);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return toolSources;
  };
}
