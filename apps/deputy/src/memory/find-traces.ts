import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { createSlices, throwIfAborted } from "@deputy/kit";
import type { KeptOnForgetting } from "@deputy/protocol";

const PIECE_BYTES = 4 * 1024 * 1024;

const WHY: Readonly<Record<string, string>> = {
  workspace: "It is in the agents' copy of your files",
  blobs: "It is in an attached file, which stays until nothing refers to it any more",
};
const WHY_ELSE =
  "The file still has it: in something that is named above, or that Deputy does not keep as memory";

/**
 * Files of a home that still have one of these texts, in any case. Unreadable ones are passed over. Rejects with the
 * signal's reason on abort.
 */
export async function findTraces(
  home: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly KeptOnForgetting[]> {
  const needles = texts.map((text) => foldBytes(Buffer.from(text)));
  if (needles.length === 0) return [];
  const kept: KeptOnForgetting[] = [];
  const slices = createSlices();
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    throwIfAborted(signal);
    if (slices.isOver()) await slices.next();
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    if (!contains(file, needles)) continue;
    const what = file.slice(home.length + 1);
    kept.push({ what, why: WHY[what.split("/")[0] ?? ""] ?? WHY_ELSE, count: 1 });
  }
  return kept;
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
    const buffer = Buffer.alloc(PIECE_BYTES + overlap);
    for (let at = 0, held = 0; ;) {
      const read = readSync(handle, buffer, held, PIECE_BYTES, at);
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
