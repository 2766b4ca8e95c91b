import { type FileHandle, open } from "node:fs/promises";
import type { PlacedEvent } from "../log/index.ts";
import { encodeLine, idOfLine } from "./daily-line.ts";
import { type FileLine, readLines } from "./read-lines.ts";

/**
 * Writes over the lines of events whose payloads were erased: what is left of each has the same hashes and
 * the same length, so the lines below stay where they are, and hold. Idempotent, also after a crash in
 * the middle: a line is known by how it begins, which does not change. One walk through the file.
 */
export async function eraseLines(path: string, erased: readonly PlacedEvent[]): Promise<void> {
  const left = new Map<string, PlacedEvent>(erased.map((placed) => [placed.event.id, placed]));
  let handle: FileHandle | undefined;
  try {
    for await (const line of readLines(path)) {
      const id = line.text === undefined ? undefined : idOfLine(line.text);
      const placed = id === undefined ? undefined : left.get(id);
      if (placed === undefined) continue;
      left.delete(placed.event.id);
      const stub = stubOf(line, placed);
      handle ??= await open(path, "r+");
      await handle.write(stub, 0, stub.length, line.offset);
      if (left.size === 0) break;
    }
    await handle?.datasync();
  } finally {
    await handle?.close();
  }
}

function stubOf({ text = "", bytes }: FileLine, placed: PlacedEvent): Buffer {
  const before = beforeOf(text);
  if (before === undefined) return Buffer.alloc(0);
  const stub = Buffer.alloc(bytes, " ");
  stub.write(encodeLine({ ...placed, salt: null, payload: null }, before).text);
  return stub;
}

/** It is at the end of a complete line; or after an erased payload, if the write was interrupted. */
function beforeOf(text: string): string | undefined {
  const atEnd = /"before":"([0-9a-f]{64})","line":"[0-9a-f]{64}"\}\s*$/.exec(text);
  return (atEnd ?? /"data":null,"position":.*?"before":"([0-9a-f]{64})"/.exec(text))?.[1];
}
