import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** A file or folder that has one of some texts: in its name, or in what it contains. */
export interface FileWith {
  /** Its path in the folder that was looked through. */
  readonly what: string;
  readonly where: "name" | "content";
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** Goes through a folder at any depth. Links are not followed: what they lead to is elsewhere, or has a name of its own. */
export function* filesWith(folder: string, texts: readonly string[]): Generator<FileWith | undefined> {
  const needles = needlesOf(texts);
  const folders = [folder];
  for (const each of folders)
    for (const entry of entriesOf(each)) {
      const path = join(each, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const what = path.slice(folder.length + 1);
      const name = foldBytes(Buffer.from(entry.name));
      if (needles.some((needle) => name.includes(needle))) yield { what, where: "name" };
      else if (entry.isFile() && contains(path, needles)) yield { what, where: "content" };
      else yield undefined;
    }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** As it is, and as JSON writes it. */
function needlesOf(texts: readonly string[]): readonly string[] {
  const written = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  return [...new Set(written.map((text) => foldBytes(Buffer.from(text))))];
}

/** A string of the bytes, one character each, in lower case: of other writing, only the very bytes are found. */
function foldBytes(bytes: Buffer): string {
  return bytes.toString("latin1").toLowerCase();
}

/** False for what cannot be read. */
function contains(file: string, needles: readonly string[]): boolean {
  const overlap = Math.max(...needles.map(({ length }) => length));
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    // A home has hundreds of small files: room for each, not for the largest there can be.
    const pieceBytes = Math.min(Math.max(fstatSync(handle).size, 1), PIECE_BYTES);
    const buffer = Buffer.allocUnsafe(pieceBytes + overlap);
    for (let at = 0, held = 0; ;) {
      const read = readSync(handle, buffer, held, pieceBytes, at);
      const filled = buffer.subarray(0, held + read);
      const folded = foldBytes(filled);
      if (needles.some((needle) => folded.includes(needle))) return true;
      if (read === 0) return false;
      at += read;
      held = Math.min(overlap, filled.length);
      filled.copy(buffer, 0, filled.length - held);
    }
  } catch {
    return false;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
