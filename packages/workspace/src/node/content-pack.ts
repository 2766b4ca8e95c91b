import { closeSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";

/**
 * The contents of an import, one after the other in one file: a file for each would take most of an import's time. `pack`
 * has the bytes, `pack.index` a line `sha256 offset size` for each content. Neither changes once it is complete.
 */
export interface PackWriter extends Disposable {
  /** Adds bytes by their hash, once. Throws as the disk does. */
  add(sha256: string, bytes: Uint8Array): void;
  /** Writes what is left, and the index. Both are on the disk when it returns. */
  finish(): void;
}

export interface PackReader {
  /** The bytes under this hash, unchecked; undefined if the pack has none. Throws as the disk does. */
  read(sha256: string): Uint8Array | undefined;
}

/** So much is written at once. */
const BUFFER_BYTES = 1 << 20;

export function createPackWriter(folder: string): PackWriter {
  const pack = openSync(join(folder, "pack"), "wx", 0o600);
  const rows = new Map<string, string>();
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let offset = 0;
  let isOpen = true;
  const flush = (): void => {
    writeAll(pack, Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  };
  const close = (): void => {
    if (isOpen) closeSync(pack);
    isOpen = false;
  };
  return {
    add(sha256, bytes) {
      if (rows.has(sha256)) return;
      rows.set(sha256, `${sha256} ${offset} ${bytes.length}\n`);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      offset += bytes.length;
      if (waitingBytes >= BUFFER_BYTES) flush();
    },
    finish() {
      flush();
      fsyncSync(pack);
      close();
      const index = openSync(join(folder, "pack.index"), "wx", 0o600);
      try {
        writeAll(index, Buffer.from([...rows.values()].join("")));
        fsyncSync(index);
      } finally {
        closeSync(index);
      }
    },
    [Symbol.dispose]: close,
  };
}

/** A workspace of an earlier Deputy, or one that was never imported, has no pack: its reader finds nothing. */
export function openPack(folder: string): PackReader {
  const places = new Map<string, { readonly offset: number; readonly size: number }>();
  for (const row of readIndex(join(folder, "pack.index")).split("\n")) {
    const [sha256 = "", offset, size] = row.split(" ");
    if (sha256 !== "") places.set(sha256, { offset: Number(offset), size: Number(size) });
  }
  return {
    read(sha256) {
      const place = places.get(sha256);
      if (place === undefined) return undefined;
      const bytes = new Uint8Array(place.size);
      const pack = openSync(join(folder, "pack"), "r");
      try {
        let filled = 0;
        while (filled < bytes.length) {
          const read = readSync(pack, bytes, filled, bytes.length - filled, place.offset + filled);
          if (read === 0) break;
          filled += read;
        }
        return bytes.subarray(0, filled);
      } finally {
        closeSync(pack);
      }
    },
  };
}

function readIndex(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw error;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written);
}
