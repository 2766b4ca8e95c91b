import { open } from "node:fs/promises";
import { systemCodeOf } from "@deputy/kit";

export interface FileLine {
  /** Counted from 1. */
  readonly number: number;
  readonly offset: number;
  /** Without its end. */
  readonly bytes: number;
  /** Undefined for a line that is too long to be valid. */
  readonly text: string | undefined;
  /** `torn`: the file ends before the line does. */
  readonly end: "complete" | "torn";
}

const CHUNK_BYTES = 64 * 1024;
/** An event has at most 8 MiB, and escaping adds nothing to it. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** The lines of a file in order, one in memory at a time. Yields nothing if there is no file. */
export async function* readLines(path: string): AsyncGenerator<FileLine> {
  const handle = await openIfThere(path);
  if (handle === undefined) return;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  let offset = 0;
  const take = (end: FileLine["end"]): FileLine => {
    const text = bytes > MAX_LINE_BYTES ? undefined : Buffer.concat(parts).toString("utf8");
    const line = { number, offset, bytes, text, end };
    offset += bytes + 1;
    number += 1;
    parts = [];
    bytes = 0;
    return line;
  };
  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= MAX_LINE_BYTES) parts.push(Buffer.from(part));
    else parts = [];
  };

  try {
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      const read = chunk.subarray(0, bytesRead);
      let from = 0;
      for (let end = read.indexOf(10); end >= 0; end = read.indexOf(10, from)) {
        keep(read.subarray(from, end));
        from = end + 1;
        yield take("complete");
      }
      if (from < bytesRead) keep(read.subarray(from));
    }
    if (bytes > 0) yield take("torn");
  } finally {
    await handle.close();
  }
}

async function openIfThere(path: string) {
  try {
    return await open(path, "r");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
