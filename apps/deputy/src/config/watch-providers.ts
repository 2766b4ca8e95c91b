import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";
import { stampOf } from "./config-file.ts";
import type { Home } from "../home.ts";
import { configFileOf, readConfigFile } from "./config-file.ts";
import { parseConfig, parseJson } from "./parse-config.ts";

export type ProviderSettings = Pick<Config, "providers" | "servers">;

/**
 * The providers' addresses and the places of their keys, from the current file, so that a new key counts without a
 * restart. While the file is missing or invalid, its last valid content counts. Never throws.
 */
export function watchProviders(home: Pick<Home, "directory" | "config">): () => ProviderSettings {
  const file = configFileOf(home.directory);
  let { providers, servers } = home.config;
  // Read again the first time, because the home may have been opened long ago.
  let seen: string | undefined;
  return () => {
    const stamp = stampOf(file);
    if (stamp === seen || stamp === undefined) return { providers, servers };
    seen = stamp;
    try {
      ({ providers, servers } = parseConfig(parseJson(readConfigFile(home.directory), file), file).config);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return { providers, servers };
  };
}
