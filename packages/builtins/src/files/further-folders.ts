import type { FileTree } from "@deputy/workspace";
import { WorkspaceError } from "@deputy/workspace/error";
import { readChangePath, readPath } from "@deputy/workspace/path";
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

/** A write to a real file always asks: it cannot be reviewed before it counts. */
export const REAL_WRITE: CallTerms = {
  approval: "required",
  effect: "destructive",
  critical: "all",
  anyValues: false,
};

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
  const { shown } = place;
  const before = await readFurther(place, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.code === "not_found") return null;
    throw error;
  });
  return {
    title: `${before === null ? "Create" : "Change"} ${shown}`,
    details: "This is a file of yours, not one of the workspace: it is changed at once.",
    changes: [{ path: shown, before, after: after(before) }],
  };
}
