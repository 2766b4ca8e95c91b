import { createHash } from "node:crypto";
import type { Config } from "../config.ts";
import type { Home } from "../home.ts";
import { configFileOf, readConfigFile } from "./config-file.ts";
import { parseConfig, parseJson } from "./parse-config.ts";

/** The settings as the file has them now, which may not be those in force. */
export interface CurrentConfig {
  readonly hash: string;
  /** As it is written. */
  readonly raw: unknown;
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** Throws `config_invalid`, `file_unwritable`. */
export function readCurrent({ directory }: Pick<Home, "directory">): CurrentConfig {
  const file = configFileOf(directory);
  const text = readConfigFile(directory);
  const raw = parseJson(text, file);
  const { config, warnings } = parseConfig(raw, file);
  return { hash: hashText(text), raw, config, warnings };
}

/** Names the content of a file, so that a change meanwhile is noticed. */
export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
