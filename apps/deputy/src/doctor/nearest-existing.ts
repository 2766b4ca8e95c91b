import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The path itself, or its nearest existing parent. */
export function nearestExisting(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}
