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
  return parseCurrent(readConfigFile(directory), configFileOf(directory));
}

function parseCurrent(text: string, file: string): CurrentConfig {
  const raw = parseJson(text, file);
  const { config, warnings } = parseConfig(raw, file);
  return { hash: hashText(text), raw, config, warnings };
}

/**
 * The same again and again, for who asks with every turn: the file is read each time, and parsed only when its text is
 * another. The function throws as `readCurrent` does.
 */
export function followCurrent({ directory }: Pick<Home, "directory">): () => CurrentConfig {
  let last: { readonly text: string; readonly current: CurrentConfig } | undefined;
  return () => {
    const text = readConfigFile(directory);
    if (last?.text !== text) last = { text, current: parseCurrent(text, configFileOf(directory)) };
    return last.current;
  };
}

/** Names the content of a file, so that a change meanwhile is noticed. */
export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
