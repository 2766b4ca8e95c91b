import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { MemoryError } from "../memory-error.ts";
import { LARGEST_NOTE_CHARS, type NoteFiles } from "../notes/note-keeper.ts";

const DRAFT = ".deputy-draft";

/**
 * Notes in folders. `places`: where paths that begin with a name lie, such as those of an agent. Nothing outside of
 * these is read or written, whatever links lead there.
 */
export function createNoteFiles(
  places: (name: string) => string | undefined,
  names: () => readonly string[],
): NoteFiles {
  const locate = (path: string): { readonly file: string; readonly root: string } => {
    const [name = "", ...rest] = path.split("/");
    const root = places(name);
    const isPlain = rest.length > 0 && rest.every((part) => part !== "" && part !== "." && part !== "..");
    if (root === undefined || !isPlain || !/\.(md|markdown|txt)$/i.test(path))
      throw new MemoryError("note_refused", `${path} is no note`);
    const file = join(root, ...rest);
    const real = realOf(file);
    const inside = relative(realOf(root), real);
    if (inside.startsWith("..") || inside.startsWith(sep))
      throw new MemoryError("note_refused", `${path} is a link that leads elsewhere`);
    return { file: real, root };
  };
  return {
    async read(path) {
      const { file } = locate(path);
      try {
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
        if (text.length > 4 * LARGEST_NOTE_CHARS)
          throw new MemoryError("note_refused", `${path} is too large`);
        return text;
      } catch (cause) {
        if (cause instanceof MemoryError) throw cause;
        if (codeOf(cause) === "ENOENT") return null;
        throw new MemoryError("note_refused", `${path} cannot be read as text`, { cause });
      }
    },
    async write(path, text) {
      const { file, root } = locate(path);
      try {
        if (text === null) remove(file, realOf(root));
        else replace(file, text);
      } catch (cause) {
        throw new MemoryError("note_refused", `${path} cannot be written (${codeOf(cause)})`, { cause });
      }
    },
    async list(agentId) {
      const found: string[] = [];
      const wanted = agentId === undefined ? names() : [agentId];
      for (const name of wanted) {
        const root = places(name);
        if (root !== undefined) walk(root, name, found);
      }
      return found;
    },
  };
}

/** Sorted, without links: a note that a link leads to is changed where it lies, or not at all. */
function walk(folder: string, path: string, found: string[]): void {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // A crash left it. One process at a time has the home, and it writes in one go.
    if (entry.name === DRAFT) rmSync(join(folder, DRAFT), { force: true });
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) walk(join(folder, entry.name), `${path}/${entry.name}`, found);
    else if (entry.isFile() && /\.(md|markdown|txt)$/i.test(entry.name)) found.push(`${path}/${entry.name}`);
  }
}

/** A draft that a crash left is overwritten by the next one. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = join(dirname(file), DRAFT);
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  const handle = openSync(draft, "w", mode & 0o777);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** With the folders that it was the last file of, up to those that a root has by itself: `memory` and `skills` stay. */
function remove(file: string, root: string): void {
  rmSync(file, { force: true });
  let folder = dirname(file);
  while (relative(root, folder).includes(sep) && existsSync(folder) && readdirSync(folder).length === 0) {
    rmdirSync(folder);
    folder = dirname(folder);
  }
  if (existsSync(folder)) syncFolder(folder);
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Of what exists of a path; the rest stays as it is. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    return join(realOf(parent), path.slice(parent.length).replace(/^\//, ""));
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
