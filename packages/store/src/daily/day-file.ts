import { type FileHandle, open } from "node:fs/promises";
import { FIRST_PREV } from "@deputy/protocol";
import type { DailyCursor, DailyFiles } from "./daily-files.ts";
import type { PlacedEvent } from "../log/index.ts";
import { decodeLine, encodeLine } from "./daily-line.ts";
import { readLines } from "./read-lines.ts";

/** The file that is being written to. */
export interface DayFile {
  readonly day: string;
  /** Bytes in the file. */
  readonly bytes: number;
  /** Hash of the last line, including one that was added but not yet written. */
  readonly line: string;
  add(placed: PlacedEvent): void;
  /** Bytes that were added and not yet written. */
  readonly waitingBytes: number;
  /** Hands what was added to the system. */
  write(): Promise<void>;
  /** Makes what was written survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a day's file and removes everything after the cursor: it was written after the last sync, may be
 * torn, and is written again from the log. Calls `warn` if the file lost lines that were synced.
 */
export async function openDayFile(
  files: DailyFiles,
  day: string,
  cursor: DailyCursor | undefined,
  warn: (text: string) => void,
): Promise<DayFile> {
  const path = files.pathOf(day);
  const end = cursor?.day === day ? cursor : await findEnd(path, cursor?.position ?? 0);
  const handle = await open(path, "a", 0o600);
  try {
    const bytes = await endAt(handle, end.bytes, () =>
      warn(`${path} is shorter than it was; \`deputy audit verify\` says what is missing.`),
    );
    return createDayFile({ handle, day, bytes, line: end.line });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function createDayFile(opened: {
  readonly handle: FileHandle;
  readonly day: string;
  readonly bytes: number;
  readonly line: string;
}): DayFile {
  const { handle, day } = opened;
  let { bytes, line } = opened;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;

  return {
    day,
    get bytes() {
      return bytes;
    },
    get line() {
      return line;
    },
    get waitingBytes() {
      return waitingBytes;
    },
    add(placed) {
      const encoded = encodeLine(placed, line);
      const text = Buffer.from(`${encoded.text}\n`);
      waiting.push(text);
      waitingBytes += text.length;
      line = encoded.line;
    },
    async write() {
      if (waitingBytes === 0) return;
      const text = Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
      await handle.appendFile(text);
      bytes += text.length;
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** The end of the last line at or before `position`. */
async function findEnd(path: string, position: number): Promise<{ bytes: number; line: string }> {
  let end = { bytes: 0, line: FIRST_PREV };
  for await (const one of readLines(path)) {
    const line = one.text === undefined || one.end === "torn" ? undefined : decodeLine(one.text);
    if (line !== undefined && line.position > position) break;
    if (one.end === "torn") break;
    end = { bytes: one.offset + one.bytes + 1, line: line?.line ?? end.line };
  }
  return end;
}

/** Cuts the file at `bytes`. If the file is shorter, writing continues on a new line. */
async function endAt(handle: FileHandle, bytes: number, onShort: () => void): Promise<number> {
  const { size, mode } = await handle.stat();
  if ((mode & 0o077) !== 0) await handle.chmod(0o600);
  if (size > bytes) await handle.truncate(bytes);
  if (size >= bytes) return bytes;
  onShort();
  if (size === 0) return 0;
  await handle.appendFile("\n");
  return size + 1;
}
