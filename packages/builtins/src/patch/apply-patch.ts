import type { Workspace } from "@deputy/workspace";
import { readChangePath } from "@deputy/workspace/path";
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

/**
 * Applies a whole patch to the workspace, or nothing when a part does not fit. Throws `patch_invalid`,
 * `patch_conflict`, or the workspace's errors.
 */
export async function applyPatch(
  workspace: Workspace,
  patch: string,
  signal: AbortSignal,
): Promise<readonly PatchedFile[]> {
  const after = new Map<string, string | undefined>();
  const done: PatchedFile[] = [];
  const textOf = async (path: string): Promise<string | undefined> => {
    if (after.has(path)) return after.get(path);
    const { kind } = await workspace.stat(path, signal);
    return kind === "missing" ? undefined : await workspace.readText(path, signal);
  };
  const refuse = (path: string, why: string): ToolsError =>
    new ToolsError("patch_conflict", `${path} ${why}. Nothing was changed.`);

  for (const file of parsePatch(patch)) {
    const path = readChangePath(file.path);
    const before = await textOf(path);
    if (file.kind === "add") {
      if (before !== undefined) throw refuse(path, "exists already, and the patch creates it");
      after.set(path, file.content);
      done.push({ path, change: "added" });
      continue;
    }
    if (before === undefined) throw refuse(path, "is not there");
    if (file.kind === "delete") {
      after.set(path, undefined);
      done.push({ path, change: "deleted" });
      continue;
    }
    const text = applyHunks(path, before, file.hunks);
    const moveTo = file.moveTo === undefined ? undefined : readChangePath(file.moveTo);
    if (moveTo !== undefined && (await textOf(moveTo)) !== undefined)
      throw refuse(moveTo, "is there already, and the patch moves a file there");
    if (moveTo !== undefined) after.set(path, undefined);
    after.set(moveTo ?? path, text);
    done.push(moveTo === undefined ? { path, change: "modified" } : { path: moveTo, change: "moved" });
  }
  // Removals come first, to make room.
  for (const [path, text] of after)
    if (text === undefined && (await workspace.stat(path, signal)).kind !== "missing")
      await workspace.remove(path, signal);
  for (const [path, text] of after) if (text !== undefined) await workspace.write(path, text, signal);
  return done;
}

/** Models like to put a patch between fences. */
function withoutFence(text: string): string {
  return /^\s*```[a-z]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
