import type { DirectoryDescriptor } from "./descriptor.ts";
import type { HostCalls, HostContext } from "./host-context.ts";
import { RIGHT } from "./rights.ts";
import {
  filetypeOf,
  filetypeOfDescriptor,
  timesOf,
  toNumber,
  writeStat,
  writeStreamStat,
} from "./stat-layout.ts";
import { refuse } from "./wasi-errno.ts";

/** `fdflags` that no file in memory can keep: dsync, rsync, sync. */
const SYNC_FLAGS = 2 | 8 | 16;
const ENTRY_BYTES = 24;

/** Everything about open descriptors but reading and writing them. */
export function descriptorCalls({ memory, descriptors, clock }: HostContext): HostCalls {
  const encoder = new TextEncoder();
  const WHENCE = ["start", "current", "end"] as const;

  return {
    fd_advise(fd: number, offset: bigint, length: bigint, advice: number) {
      if (descriptors.get(fd, RIGHT.fdAdvise).kind === "directory") refuse("EBADF");
      if (advice > 5) refuse("EINVAL");
      toNumber(offset);
      toNumber(length);
    },
    fd_allocate(fd: number, offset: bigint, length: bigint) {
      const { file } = descriptors.file(fd, RIGHT.fdAllocate);
      if (length === 0n) refuse("EINVAL");
      const end = toNumber(offset) + toNumber(length);
      if (end > file.stat().size) file.truncate(end);
    },
    fd_close: (fd: number) => descriptors.close(fd),
    fd_datasync(fd: number) {
      if (descriptors.get(fd).kind === "directory") refuse("EBADF");
      descriptors.get(fd, RIGHT.fdDatasync);
    },
    fd_sync(fd: number) {
      descriptors.get(fd, RIGHT.fdSync);
    },
    fd_fdstat_get(fd: number, at: number) {
      const descriptor = descriptors.get(fd);
      memory.bytes(at, 24).fill(0);
      memory.setU8(at, filetypeOfDescriptor(descriptor));
      memory.setU16(at + 2, descriptor.flags);
      memory.setU64(at + 8, descriptor.rights);
      memory.setU64(at + 16, descriptor.inheriting);
    },
    fd_fdstat_set_flags(fd: number, flags: number) {
      const descriptor = descriptors.get(fd, RIGHT.fdSetFlags);
      if (flags > 31) refuse("EINVAL");
      if ((flags & SYNC_FLAGS) !== 0 && descriptor.kind !== "directory") refuse("ENOTSUP");
      descriptor.flags = flags;
      if (descriptor.kind === "file") descriptor.file.append = (flags & 1) === 1;
    },
    fd_fdstat_set_rights(fd: number, rights: bigint, inheriting: bigint) {
      const descriptor = descriptors.get(fd);
      if ((rights & ~descriptor.rights) !== 0n || (inheriting & ~descriptor.inheriting) !== 0n)
        refuse("ENOTCAPABLE");
      descriptor.rights = rights;
      descriptor.inheriting = inheriting;
    },
    fd_filestat_get(fd: number, at: number) {
      const descriptor = descriptors.get(fd, RIGHT.fdStat);
      if (descriptor.kind === "file" || descriptor.kind === "directory")
        return writeStat(memory, at, descriptor.file.stat());
      return writeStreamStat(memory, at, descriptor);
    },
    fd_filestat_set_size(fd: number, size: bigint) {
      descriptors.file(fd, RIGHT.fdSetSize).file.truncate(toNumber(size));
    },
    fd_filestat_set_times(fd: number, atime: bigint, mtime: bigint, flags: number) {
      const descriptor = descriptors.get(fd, RIGHT.fdSetTimes);
      const times = timesOf(atime, mtime, flags, clock.realtime());
      if (descriptor.kind !== "file" && descriptor.kind !== "directory") refuse("EINVAL");
      descriptor.file.setTimes(times);
    },
    fd_prestat_get(fd: number, at: number) {
      const { preopen } = preopened(fd);
      memory.setU32(at, 0);
      memory.setU32(at + 4, encoder.encode(preopen).length);
    },
    fd_prestat_dir_name(fd: number, at: number, length: number) {
      const name = encoder.encode(preopened(fd).preopen);
      if (length < name.length) refuse("ENAMETOOLONG");
      memory.bytes(at, name.length).set(name);
    },
    fd_readdir(fd: number, at: number, length: number, cookie: bigint, usedAt: number) {
      const directory = descriptors.directory(fd, RIGHT.fdReaddir);
      const room = memory.bytes(at, length);
      let used = 0;
      for (const entry of entriesAfter(directory, toNumber(cookie), Math.ceil(length / ENTRY_BYTES))) {
        const bytes = entryBytes(entry, encoder);
        // The last entry may be cut: a program whose buffer is full asks again for it.
        const part = bytes.subarray(0, length - used);
        room.set(part, used);
        used += part.length;
        if (used >= length) break;
      }
      memory.setU32(usedAt, used);
    },
    fd_renumber: (from: number, to: number) => descriptors.renumber(from, to),
    fd_seek(fd: number, offset: bigint, whence: number, at: number) {
      const tells = offset === 0n && whence === 1;
      const { file } = descriptors.file(fd, tells ? RIGHT.fdTell : RIGHT.fdSeek);
      const by = Number(BigInt.asIntN(64, offset));
      memory.setU64(at, BigInt(file.seek(by, WHENCE[whence] ?? refuse("EINVAL"))));
    },
    fd_tell(fd: number, at: number) {
      memory.setU64(at, BigInt(descriptors.file(fd, RIGHT.fdTell).file.seek(0, "current")));
    },
  };

  function preopened(fd: number): { readonly preopen: string } {
    const descriptor = descriptors.get(fd);
    if (descriptor.kind !== "directory" || descriptor.preopen === undefined) return refuse("EBADF");
    return { preopen: descriptor.preopen };
  }
}

interface Listed {
  readonly name: string;
  readonly ino: number;
  readonly filetype: number;
  /** What the program gives to go on after this entry. */
  readonly next: number;
}

/**
 * The entries after a cookie: `.` and `..` come first, with the cookies 1 and 2, and those of the file system behind
 * them. `..` has the directory's own number: what is above it is none of the program's business.
 */
function entriesAfter({ file }: DirectoryDescriptor, cookie: number, limit: number): readonly Listed[] {
  const { ino } = file.stat();
  const dots = [".", ".."].map((name, at) => ({
    name,
    ino,
    filetype: filetypeOf("directory"),
    next: at + 1,
  }));
  const listed = file.list(Math.max(0, cookie - 2), limit).map((entry) => ({
    name: entry.name,
    ino: entry.ino,
    filetype: filetypeOf(entry.kind),
    next: entry.cookie + 2,
  }));
  return [...dots.slice(cookie), ...listed];
}

function entryBytes({ name, ino, filetype, next }: Listed, encoder: TextEncoder): Uint8Array {
  const encoded = encoder.encode(name);
  const bytes = new Uint8Array(ENTRY_BYTES + encoded.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(next), true);
  view.setBigUint64(8, BigInt(ino), true);
  view.setUint32(16, encoded.length, true);
  view.setUint8(20, filetype);
  bytes.set(encoded, ENTRY_BYTES);
  return bytes;
}
