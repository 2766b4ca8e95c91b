import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import type { FurtherFolders, FurtherPlace } from "@deputy/builtins";
import type { FileTree } from "@deputy/workspace";
import { createLocalFileTree } from "@deputy/workspace/node";

/**
 * The folders of `security.additionalReadDirs` and `additionalWriteDirs`, which may be read, too. Links in them are never
 * followed, and Deputy's home is in none of them.
 */
export function openFurtherFolders(
  home: string,
  dirs: { readonly read: readonly string[]; readonly write: readonly string[] },
): FurtherFolders {
  const trees = new Map<string, FileTree>();
  const treeAt = (root: string): FileTree => {
    const tree = trees.get(root) ?? createLocalFileTree(root);
    trees.set(root, tree);
    return tree;
  };
  const within = (directory: string, path: string): FurtherPlace | undefined => {
    const root = realPath(directory);
    // As the settings spell the folder, or as it is really called.
    const below = [directory, root]
      .map((start) => inside(start ?? "", path))
      .find((found) => found !== undefined);
    if (root === undefined || below === undefined) return undefined;
    if (inside(realPath(home) ?? home, join(root, below)) !== undefined) return undefined;
    return { tree: treeAt(root), path: below.replaceAll(sep, "/"), shown: join(root, below) };
  };
  return {
    find(given, to) {
      const path = given.startsWith("~/") ? join(homedir(), given.slice(2)) : given;
      if (!path.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(path)) return undefined;
      const allowed = to === "write" ? dirs.write : [...dirs.read, ...dirs.write];
      for (const directory of allowed) {
        const place = within(resolve(directory), resolve(path));
        if (place !== undefined) return place;
      }
      return undefined;
    },
  };
}

/** Where a path lies below a folder; `""` for the folder itself, undefined for what is not in it. */
function inside(folder: string, path: string): string | undefined {
  if (folder === "") return undefined;
  const below = relative(fold(folder), fold(path));
  if (below === ".." || below.startsWith(`..${sep}`) || resolve(below) === below) return undefined;
  return relative(folder, path).startsWith("..") ? below : relative(folder, path);
}

/** Names that differ only by case are the same file there. */
function fold(path: string): string {
  return process.platform === "darwin" || process.platform === "win32" ? path.toLowerCase() : path;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
