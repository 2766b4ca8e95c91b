import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Where the files of the workspace kept in `directory` are now; undefined until it is first used. Never throws. */
export function findTreeFolder(directory: string): string | undefined {
  try {
    const generation = readFileSync(join(directory, "current"), "utf8").trim();
    return /^g\d{1,15}$/.test(generation) ? realpathSync(join(directory, generation, "tree")) : undefined;
  } catch {
    return undefined;
  }
}
