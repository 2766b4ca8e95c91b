import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { anchorFolderOf } from "./anchored-folder.ts";

/** A file on its way; one that a crash left behind is no part of the tree. */
export const PARTIAL = /^\.deputy-[0-9a-f]{16}\.partial$/;

/**
 * Notes of the partial files that a commit makes in the user's folder, kept in the workspace's own: a
 * process that is killed leaves its note, and by it whoever comes next knows what is ours to remove.
 */
export interface PartialNotes {
  /** Before the partial file is made. `path` is that of the file it becomes. */
  add(root: string, path: string, partial: string): void;
  /** After it is gone. */
  drop(partial: string): void;
  /** Removes what dead processes left. Only for who holds the lock that commits hold. */
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

/** False when the system refused; then it is tried again next time. */
async function removePartial({ root, path, partial }: Note): Promise<boolean> {
  // A folder that is gone, or a link in the way: nothing there is ours any more.
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
