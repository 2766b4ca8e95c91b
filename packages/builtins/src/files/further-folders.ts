import type { FileTree, Workspace } from "@deputy/workspace";
import { WorkspaceError } from "@deputy/workspace/error";
import { readChangePath, readPath } from "@deputy/workspace/path";
import type { FileChange } from "@deputy/kit";
import type { ApprovalText, CallTerms } from "@deputy/tools";

/** Folders of the user's own besides the workspace, which the settings name. What is written there is real at once. */
export interface FurtherFolders {
  /**
   * The folder that a path lies in, if it begins with `/` or `~/` and the settings allow that there; undefined for any
   * other path, which is then one of the workspace. Never throws.
   */
  find(path: string, to: "read" | "write"): FurtherPlace | undefined;
}

export interface FurtherPlace {
  readonly tree: FileTree;
  /** Below the folder. */
  readonly path: string;
  /** The whole path, as a question shows it. */
  readonly shown: string;
}

const MOST_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 20_000;
const DEEPEST = 64;
/** As the workspace leaves them out. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

const REAL = "This is a file of yours, not one of the workspace: it is changed at once.";

/** A write to a real file always asks: it cannot be reviewed before it counts. */
export const REAL_WRITE: CallTerms = {
  approval: "required",
  effect: "destructive",
  critical: "all",
  anyValues: false,
};

/** Where a write goes, as `find` says. Throws `path_refused` for what the settings let nobody write. */
export function findToWrite(folders: FurtherFolders | undefined, path: string): FurtherPlace | undefined {
  const found = folders?.find(path, "write");
  if (found === undefined && folders?.find(path, "read") !== undefined)
    throw new WorkspaceError("path_refused", `${path} may be read, and not written`, {
      hint: "The user's settings name the folders that may be written, in `security.additionalWriteDirs`.",
    });
  return found;
}

/** A text file there. Rejects as the tree does, with `path_refused` or `not_text`. */
export async function readFurther({ tree, path, shown }: FurtherPlace, signal: AbortSignal): Promise<string> {
  const bytes = await tree.read(readPath(path), MOST_BYTES, signal);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WorkspaceError("not_text", `${shown} is no text`);
  }
}

/** Writes a whole file there, which a reader sees as it was or as it is now. Rejects as the tree does, or with `path_refused`. */
export async function writeFurther(
  { tree, path }: FurtherPlace,
  text: string,
  signal: AbortSignal,
): Promise<"created" | "replaced"> {
  const at = readChangePath(path);
  const before = await tree.stat(at, signal);
  await tree.write(at, new TextEncoder().encode(text), {}, signal);
  return before.kind === "missing" ? "created" : "replaced";
}

/** Removes a file there. Rejects as the tree does, or with `path_refused` or `not_found`. */
export async function removeFurther(
  { tree, path, shown }: FurtherPlace,
  signal: AbortSignal,
): Promise<"removed"> {
  const at = readChangePath(path);
  const { kind } = await tree.stat(at, signal);
  if (kind === "missing") throw new WorkspaceError("not_found", `There is no ${shown}`);
  if (kind !== "file") throw new WorkspaceError("not_a_file", `${shown} is no file`);
  await tree.remove(at, signal);
  return "removed";
}

/** What of a workspace a search needs. */
export type SearchedFiles = Pick<Workspace, "stat" | "walk" | "read">;

/** What can be read at and under a place; paths are whole ones. What the settings keep back, such as the home, is left out. */
export function searchedFurther(folders: FurtherFolders, place: FurtherPlace): SearchedFiles {
  const at = (path: string): FurtherPlace => {
    const found = folders.find(path, "read");
    if (found === undefined) throw new WorkspaceError("path_refused", `${path} is in none of the folders`);
    return found;
  };
  const walk = async (from: string, signal: AbortSignal): Promise<readonly string[]> => {
    const files: string[] = [];
    const visit = async (folder: string, depth: number): Promise<void> => {
      const found = folders.find(folder, "read");
      if (found === undefined || depth > DEEPEST) return;
      for (const { name, kind } of await found.tree.list(readPath(found.path), signal)) {
        if (LEFT_OUT.has(name)) continue;
        const path = `${folder.replace(/\/$/, "")}/${name}`;
        if (kind === "folder") await visit(path, depth + 1);
        else if (kind === "file" && folders.find(path, "read") !== undefined) files.push(path);
        if (files.length > MOST_FILES)
          throw new WorkspaceError("too_many_files", `There are more than ${MOST_FILES} files in ${from}`, {
            hint: "Choose a smaller folder.",
          });
      }
    };
    await visit(from, 0);
    return files.sort();
  };
  return {
    async stat(path, signal) {
      const found = at(path);
      const stat = await found.tree.stat(readPath(found.path), signal);
      if (stat.kind !== "file") return { kind: stat.kind };
      return { kind: "file", size: stat.size, executable: stat.executable };
    },
    walk: async (_path, signal) => await walk(place.shown, signal),
    async read(path, signal) {
      const found = at(path);
      return await found.tree.read(readPath(found.path), MOST_BYTES, signal);
    },
  };
}

/** What a yes depends on: the file as it was shown. */
export async function stateOfFurther({ tree, path, shown }: FurtherPlace): Promise<string> {
  try {
    const stat = await tree.stat(readPath(path), new AbortController().signal);
    return `${shown} ${stat.kind === "file" ? stat.version : stat.kind}`;
  } catch {
    return `${shown} cannot be looked at`;
  }
}

/** The question: the real file, as a diff. `after` is given the text there is now; null for none. */
export async function askAboutFurther(
  place: FurtherPlace,
  after: (before: string | null) => string,
): Promise<ApprovalText> {
  const before = await textOfFurther(place, new AbortController().signal);
  return askAboutChanges([{ path: place.shown, before, after: after(before) }]);
}

/** The question before a file there is removed: all of its text, where it is one. */
export async function askToRemoveFurther(place: FurtherPlace): Promise<ApprovalText> {
  try {
    const before = await textOfFurther(place, new AbortController().signal);
    if (before !== null) return askAboutChanges([{ path: place.shown, before, after: null }]);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code === "path_refused") throw error;
  }
  return { title: `Delete ${place.shown}`, details: REAL };
}

/** The same for several. */
export function askAboutChanges(changes: readonly FileChange[]): ApprovalText {
  const [first, ...others] = changes;
  if (first === undefined) throw new Error("There is nothing to ask about");
  const { path, before, after } = first;
  const what = before === null ? "Create" : after === null ? "Delete" : "Change";
  return {
    title: others.length === 0 ? `${what} ${path}` : `Change ${changes.length} files of yours`,
    details: REAL,
    changes,
  };
}

/** Null where there is no file. Rejects as the tree does, with `path_refused` or `not_text`. */
export async function textOfFurther(place: FurtherPlace, signal: AbortSignal): Promise<string | null> {
  try {
    return await readFurther(place, signal);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "not_found") return null;
    throw error;
  }
}
