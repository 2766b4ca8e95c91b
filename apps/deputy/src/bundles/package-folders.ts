import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folders above Deputy's own program: npm packages that somebody installed beside it are in their `node_modules`. */
export function installedPackageFolders(): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    folders.push(at);
    if (dirname(at) === at) return folders;
  }
}
