import type { FileChange } from "@deputy/kit";
import type { Workspace } from "@deputy/workspace";
import { readChangePath } from "@deputy/workspace/path";
import {
  type FurtherFolders,
  type FurtherPlace,
  findToWrite,
  removeFurther,
  textOfFurther,
  writeFurther,
} from "../files/further-folders.ts";
import { type PatchedFiles, parsePatch, planPatch } from "./apply-patch.ts";

/** The files of the workspace, and those of further folders by their whole paths. */
export function patchedFiles(
  workspace: () => Promise<Workspace>,
  further: FurtherFolders | undefined,
): PatchedFiles {
  const outside = (path: string): FurtherPlace | undefined => further?.find(path, "write");
  return {
    place: (path) => findToWrite(further, path)?.shown ?? readChangePath(path),
    async text(path, signal) {
      const place = outside(path);
      if (place !== undefined) return (await textOfFurther(place, signal)) ?? undefined;
      const opened = await workspace();
      const { kind } = await opened.stat(path, signal);
      return kind === "missing" ? undefined : await opened.readText(path, signal);
    },
    async write(path, text, signal) {
      const place = outside(path);
      await (place === undefined
        ? (await workspace()).write(path, text, signal)
        : writeFurther(place, text, signal));
    },
    async remove(path, signal) {
      const place = outside(path);
      await (place === undefined ? (await workspace()).remove(path, signal) : removeFurther(place, signal));
    },
  };
}

/** Real files that a patch names; none for one that cannot be read. */
export function furtherIn(patch: string, further: FurtherFolders): readonly FurtherPlace[] {
  try {
    const paths = parsePatch(patch).flatMap((file) =>
      file.kind === "update" && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
    );
    return paths.flatMap((path) => further.find(path, "write") ?? []);
  } catch {
    return [];
  }
}

/** What a patch changes of real files. Throws as `planPatch` does. */
export async function furtherChanges(
  files: PatchedFiles,
  further: FurtherFolders,
  patch: string,
): Promise<readonly FileChange[]> {
  const { changes } = await planPatch(files, patch, new AbortController().signal);
  return changes.flatMap(({ path, before, after }) =>
    further.find(path, "write") === undefined ? [] : [{ path, before: before ?? null, after: after ?? null }],
  );
}
