import { throwIfAborted } from "@deputy/kit";
import type { FileTree } from "./file-tree.ts";
import { isPlainName, joinPath } from "./workspace-path.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Something that is left out of a workspace, and why, in words for the user. */
export interface Skipped {
  readonly path: string;
  readonly why: string;
}

export interface Walked {
  /** Sorted by path. */
  readonly files: readonly string[];
  readonly skipped: readonly Skipped[];
  /** The excluded names that were met. Sorted. */
  readonly excluded: readonly string[];
}

const DEEPEST = 64;

/** Every file at or under a folder. Rejects with `too_many_files`. */
export async function walkFiles(
  tree: FileTree,
  from: string,
  options: { readonly exclude: readonly string[]; readonly mostFiles: number },
  signal: AbortSignal,
): Promise<Walked> {
  const exclude = new Set(options.exclude);
  const files: string[] = [];
  const skipped: Skipped[] = [];
  const met = new Set<string>();
  const visit = async (folder: string, depth: number): Promise<void> => {
    throwIfAborted(signal);
    if (depth > DEEPEST) {
      skipped.push({ path: folder, why: `it lies deeper than ${DEEPEST} folders` });
      return;
    }
    for (const { name, kind } of await tree.list(folder, signal)) {
      if (exclude.has(name)) {
        met.add(name);
        continue;
      }
      const path = joinPath(folder, name);
      if (!isPlainName(name)) skipped.push({ path, why: "its name cannot be used as a path" });
      else if (kind === "folder") await visit(path, depth + 1);
      else if (kind === "other") skipped.push({ path, why: "it is a link or a device" });
      else files.push(path);
      if (files.length > options.mostFiles)
        throw new WorkspaceError("too_many_files", `There are more than ${options.mostFiles} files`, {
          hint: "Choose a smaller folder, or leave parts of it out.",
        });
    }
  };
  await visit(from, 0);
  return { files: files.sort(), skipped, excluded: [...met].sort() };
}
