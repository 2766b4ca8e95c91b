import { joinChunks } from "../io/channel.ts";
import type { Shell } from "../run/shell.ts";
import { type Task, wait } from "../run/task.ts";
import { decodeBytes } from "../text/bytes.ts";

export interface Record {
  readonly bytes: Uint8Array;
  /** False if the end came before the delimiter. */
  readonly complete: boolean;
}

/** Bytes up to a delimiter, which is consumed; undefined at the end. Nothing behind the delimiter is taken. */
export function* readRecord(shell: Shell, descriptor: number, delimiter: number): Task<Record | undefined> {
  const channel = shell.channel(descriptor);
  if (channel?.readable !== true) return undefined;
  const chunks: Uint8Array[] = [];
  for (;;) {
    const read = channel.read(4096);
    const bytes = read instanceof Uint8Array ? read : yield* wait(read);
    if (bytes.length === 0)
      return chunks.length === 0 ? undefined : { bytes: joinChunks(chunks), complete: false };
    const at = bytes.indexOf(delimiter);
    if (at === -1) {
      chunks.push(bytes);
      continue;
    }
    if (at + 1 < bytes.length) channel.unread(bytes.subarray(at + 1));
    chunks.push(bytes.subarray(0, at));
    return { bytes: joinChunks(chunks), complete: true };
  }
}

/** A line as text; undefined at the end. */
export function* readLine(shell: Shell, descriptor: number): Task<string | undefined> {
  const record = yield* readRecord(shell, descriptor, 10);
  return record === undefined ? undefined : decodeBytes(record.bytes);
}
