import { ToolsError } from "@deputy/tools";
import { applyHunks } from "./apply-hunks.ts";
import { type FilePatch, invalidPatch } from "./patch.ts";
import { parseBeginPatch } from "./parse-begin-patch.ts";
import { parseUnified } from "./parse-unified.ts";

export interface PatchedFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "moved";
}

const MOST_FILES = 500;

/** Throws `patch_invalid`. */
export function parsePatch(patch: string): readonly FilePatch[] {
  const text = withoutFence(patch);
  const files = /^\s*\*\*\* Begin Patch/.test(text) ? parseBeginPatch(text) : parseUnified(text);
  if (files.length > MOST_FILES) throw invalidPatch(`it names more than ${MOST_FILES} files`);
  return files;
}

/** Where the files of a patch are. */
export interface PatchedFiles {
  /** The path as it is used from here on. Throws `path_refused`. */
  place(path: string): string;
  /** Undefined where there is none. */
  text(path: string, signal: AbortSignal): Promise<string | undefined>;
  write(path: string, text: string, signal: AbortSignal): Promise<unknown>;
  remove(path: string, signal: AbortSignal): Promise<unknown>;
}

/** What a patch makes of files that are there now. */
export interface PlannedPatch {
  readonly done: readonly PatchedFile[];
  /** Undefined for a file that is not there, before or afterwards. */
  readonly changes: readonly {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  }[];
}

/** Changes nothing. Throws `patch_invalid`, `patch_conflict` when a part does not fit, or what the files throw. */
export async function planPatch(
  files: PatchedFiles,
  patch: string,
  signal: AbortSignal,
): Promise<PlannedPatch> {
  const before = new Map<string, string | undefined>();
  const after = new Map<string, string | undefined>();
  const done: PatchedFile[] = [];
  const textOf = async (path: string): Promise<string | undefined> => {
    if (after.has(path)) return after.get(path);
    if (!before.has(path)) before.set(path, await files.text(path, signal));
    return before.get(path);
  };
  const refuse = (path: string, why: string): ToolsError =>
    new ToolsError("patch_conflict", `${path} ${why}. Nothing was changed.`);

  for (const file of parsePatch(patch)) {
    const path = files.place(file.path);
    const text = await textOf(path);
    if (file.kind === "add") {
      if (text !== undefined) throw refuse(path, "exists already, and the patch creates it");
      after.set(path, file.content);
      done.push({ path, change: "added" });
      continue;
    }
    if (text === undefined) throw refuse(path, "is not there");
    if (file.kind === "delete") {
      after.set(path, undefined);
      done.push({ path, change: "deleted" });
      continue;
    }
    const patched = applyHunks(path, text, file.hunks);
    const moveTo = file.moveTo === undefined ? undefined : files.place(file.moveTo);
    if (moveTo !== undefined && (await textOf(moveTo)) !== undefined)
      throw refuse(moveTo, "is there already, and the patch moves a file there");
    if (moveTo !== undefined) after.set(path, undefined);
    after.set(moveTo ?? path, patched);
    done.push(moveTo === undefined ? { path, change: "modified" } : { path: moveTo, change: "moved" });
  }
  const changes = [...after].map(([path, text]) => ({ path, before: before.get(path), after: text }));
  return { done, changes };
}

/**
 * Applies a whole patch, or nothing when a part does not fit. Throws `patch_invalid`, `patch_conflict`, or what the files
 * throw.
 */
export async function applyPatch(
  files: PatchedFiles,
  patch: string,
  signal: AbortSignal,
): Promise<readonly PatchedFile[]> {
  const { done, changes } = await planPatch(files, patch, signal);
  // Removals come first, to make room.
  for (const { path, before, after } of changes)
    if (after === undefined && before !== undefined) await files.remove(path, signal);
  for (const { path, after } of changes) if (after !== undefined) await files.write(path, after, signal);
  return done;
}

/** Models like to put a patch between fences. */
function withoutFence(text: string): string {
  return /^\s*```[a-z]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
