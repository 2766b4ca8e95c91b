import type { FileKind, FileStat, FileTimes } from "@deputy/vfs";
import type { Descriptor } from "./descriptor.ts";
import type { GuestMemory } from "./guest-memory.ts";
import { refuse } from "./wasi-errno.ts";

/** `filetype`: a pipe has no number of its own in preview 1. */
const FILETYPE: Readonly<Record<FileKind | "pipe", number>> = {
  pipe: 0,
  device: 2,
  directory: 3,
  file: 4,
  symlink: 7,
};

export function filetypeOf(kind: FileKind): number {
  return FILETYPE[kind];
}

export function filetypeOfDescriptor(descriptor: Descriptor): number {
  switch (descriptor.kind) {
    case "input":
      return FILETYPE[descriptor.source.terminal === true ? "device" : "pipe"];
    case "output":
      return FILETYPE[descriptor.sink.terminal === true ? "device" : "pipe"];
    default:
      return FILETYPE[descriptor.file.kind];
  }
}

/** Writes a `filestat`: 64 bytes. */
export function writeStat(memory: GuestMemory, at: number, stat: FileStat): void {
  memory.bytes(at, 64).fill(0);
  memory.setU64(at, 1n);
  memory.setU64(at + 8, BigInt(stat.ino));
  memory.setU8(at + 16, FILETYPE[stat.kind]);
  memory.setU64(at + 24, BigInt(stat.nlink));
  memory.setU64(at + 32, BigInt(stat.size));
  memory.setU64(at + 40, stat.atime);
  memory.setU64(at + 48, stat.mtime);
  memory.setU64(at + 56, stat.ctime);
}

/** The same of a stream, of which only its kind is known. */
export function writeStreamStat(memory: GuestMemory, at: number, stream: Descriptor): void {
  memory.bytes(at, 64).fill(0);
  memory.setU8(at + 16, filetypeOfDescriptor(stream));
}

/** What `fstflags` ask for: 1 and 4 set the times given, 2 and 8 the time it is now. Both at once is EINVAL. */
export function timesOf(atime: bigint, mtime: bigint, flags: number, now: bigint): FileTimes {
  if ((flags & 3) === 3 || (flags & 12) === 12 || (flags & ~15) !== 0) refuse("EINVAL");
  return {
    ...((flags & 3) !== 0 && { atime: (flags & 1) === 1 ? BigInt.asUintN(64, atime) : now }),
    ...((flags & 12) !== 0 && { mtime: (flags & 4) === 4 ? BigInt.asUintN(64, mtime) : now }),
  };
}

/** An offset or a size as a number; EINVAL if it is larger than any file. */
export function toNumber(value: bigint): number {
  const unsigned = BigInt.asUintN(64, value);
  return unsigned > BigInt(Number.MAX_SAFE_INTEGER) ? refuse("EINVAL") : Number(unsigned);
}
