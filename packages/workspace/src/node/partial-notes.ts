import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { anchorFolderOf } from "./anchored-folder.ts";

/** A file that is being written. If a crash leaves one behind, it is not part of the tree. */
export const PARTIAL = /^\.deputy-[0-9a-f]{16}\.partial$/;

/**
 * Notes about the partial files that a commit creates in the user's folder. They are kept in the workspace's
 * own folder. A killed process leaves its note, so that the next one knows which files are Deputy's to
 * remove.
 */
export interface PartialNotes {
  /** Called before the partial file is created. `path` is that of the final file. */
  add(root: string, path: string, partial: string): void;
  /** Called after it is gone. */
  drop(partial: string): void;
  /** Removes what dead processes left. The caller must hold the lock of commits. */
  sweep(): Promise<void>;
}

interface Note {
  readonly root: string;
  readonly path: string;
  readonly partial: string;
}

export function createPartialNotes(directory: string): PartialNotes {
  const folder = join(directory, "partials");
  return {
    add(root, path, partial) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, partial), JSON.stringify({ root, path, partial }), { mode: 0o600 });
    },
    drop: (partial) => rmSync(join(folder, partial), { force: true }),
    async sweep() {
      for (const name of listed(folder)) {
        const note = readNote(join(folder, name));
        if (note === undefined || (await removePartial(note))) rmSync(join(folder, name), { force: true });
      }
    },
  };
}

/** False if the system refused; the next time tries again. */
async function removePartial({ root, path, partial }: Note): Promise<boolean> {
  // The folder is gone, or there is a link in its path: nothing there is Deputy's.
  const folder = await anchorFolderOf(root, path, "refuse").catch(() => undefined);
  if (folder === undefined) return true;
  await using _held = folder;
  const found = lstatSync(folder.at(partial), { throwIfNoEntry: false });
  if (found?.isFile() !== true) return true;
  return await unlink(folder.at(partial)).then(
    () => true,
    () => false,
  );
}

function readNote(file: string): Note | undefined {
  try {
    const { root, path, partial } = JSON.parse(readFileSync(file, "utf8")) as Partial<Note>;
    if (typeof root !== "string" || typeof path !== "string" || typeof partial !== "string") return undefined;
    return PARTIAL.test(partial) ? { root, path, partial } : undefined;
  } catch {
    return undefined;
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
