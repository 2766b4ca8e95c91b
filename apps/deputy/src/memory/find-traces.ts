import { closeSync, type Dirent, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { createSlices, throwIfAborted } from "@deputy/kit";
import type { KeptOnForgetting } from "@deputy/protocol";

const PIECE_BYTES = 4 * 1024 * 1024;

const WHY: Readonly<Record<string, string>> = {
  workspace: "It is in the agents' copy of your files",
  blobs: "It is in an attached file of a conversation that is at work: forget again once it has ended",
};
const WHY_ELSE =
  "The file still has it: in something that is named above, or that Deputy does not keep as memory";
const WHY_NAMED = "Its name has it: rename or delete it";

/**
 * Files of a home that still have one of these texts, in any case, and what is called so. Unreadable ones are passed over. Rejects with the
 * signal's reason on abort.
 */
export async function findTraces(
  home: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly KeptOnForgetting[]> {
  const needles = needlesOf(texts);
  if (needles.length === 0) return [];
  const kept: KeptOnForgetting[] = [];
  const slices = createSlices();
  const folders = [home];
  for (const folder of folders)
    for (const entry of entriesOf(folder)) {
      throwIfAborted(signal);
      if (slices.isOver()) await slices.next();
      const path = join(folder, entry.name);
      // What a link leads to is elsewhere, or looked at by its own name.
      if (entry.isDirectory()) folders.push(path);
      const what = path.slice(home.length + 1);
      const name = foldBytes(Buffer.from(entry.name));
      if (needles.some((needle) => name.includes(needle))) kept.push({ what, why: WHY_NAMED, count: 1 });
      else if (entry.isFile() && contains(path, needles))
        kept.push({ what, why: WHY[what.split("/")[0] ?? ""] ?? WHY_ELSE, count: 1 });
    }
  return kept;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The files in a folder that have one of these texts, by their names. Rejects with the signal's reason on abort. */
export async function filesHolding(
  folder: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const needles = needlesOf(texts);
  const found = new Set<string>();
  if (needles.length === 0 || !existsSync(folder)) return found;
  const slices = createSlices();
  for (const name of readdirSync(folder)) {
    throwIfAborted(signal);
    if (slices.isOver()) await slices.next();
    if (contains(join(folder, name), needles)) found.add(name);
  }
  return found;
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
