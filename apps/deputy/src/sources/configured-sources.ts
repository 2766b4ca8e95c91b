import { resolve } from "node:path";
import type { Config } from "../config.ts";
import { changeConfigFile, configFileOf } from "../config/config-file.ts";
import { parseConfig, parseJson } from "../config/parse-config.ts";
import type { Home } from "../home.ts";

type Setting = Config["toolSources"][number];

/** The sources as the file has them. */
export interface RawSources {
  readonly toolSources?: readonly unknown[];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, unknown>>;
}

/** Writes the file with other sources. Throws `config_invalid`, `file_unwritable`. */
export function changeSources(home: Pick<Home, "directory">, make: (raw: RawSources) => RawSources): void {
  const file = configFileOf(home.directory);
  changeConfigFile(home.directory, (text) => {
    const raw = parseJson(text ?? "{}", file) as RawSources;
    const changed = { ...raw, ...make(raw) };
    parseConfig(changed, file);
    return `${JSON.stringify(changed, null, 2)}\n`;
  });
}

export function withoutServer(
  servers: Readonly<Record<string, unknown>>,
  gone: string,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(servers).filter(([name]) => name !== gone));
}

/** The name that a user knows it by. */
export function nameOfSource(setting: Setting): string {
  if (typeof setting === "string") return setting;
  return setting.name ?? (setting.type === "openapi" ? setting.spec : setting.type);
}

/** By its name, its file or its package. */
export function isMeant(home: string, setting: Setting, name: string): boolean {
  if (nameOfSource(setting) === name) return true;
  const file = typeof setting === "string" ? setting : setting.type === "openapi" ? setting.spec : undefined;
  return file !== undefined && resolve(home, file) === resolve(name);
}
