import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "@deputy/kit";
import { configSchema } from "../config.ts";
import { changeFile } from "./config-file.ts";

const DEFAULTS = "config.defaults.json";

/**
 * Keeps a file with every default beside `config.json`, to read and to copy from: what stands in `config.json` itself
 * would stay when a default changes. Nothing reads it, so a home where it cannot be written does as well without it.
 */
export function keepDefaultsFile(home: string): void {
  const file = join(home, DEFAULTS);
  const text = `${JSON.stringify(configSchema.parse({}), null, 2)}\n`;
  try {
    if (existsSync(file) && readFileSync(file, "utf8") === text) return;
    changeFile(file, () => text);
  } catch (error) {
    const isOfTheSystem = error instanceof Error && "errno" in error;
    if (!(error instanceof CodedError) && !isOfTheSystem) throw error;
  }
}
