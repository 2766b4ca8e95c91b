import type { Change } from "./changes.ts";

export type FileKind = "file" | "directory" | "symlink" | "device";

export interface FileStat {
  /** Two paths are the same file if their numbers are equal. */
  readonly ino: number;
  readonly kind: FileKind;
  /** The permission bits, 0o7777 at most. They are kept and never enforced: the one user is everybody. */
  readonly mode: number;
  readonly nlink: number;
  /** Bytes; of a link, of its target; of a directory, 0. */
  readonly size: number;
  /** Nanoseconds since 1970. Reading does not change `atime`. */
  readonly atime: bigint;
  readonly mtime: bigint;
  readonly ctime: bigint;
}

/**
 * Where something is. A string is an absolute path; `..` of the root is the root.
 * With `beneath`, the path is relative to that open directory and cannot leave it, by whatever `..` or link:
 * ENOTCAPABLE. Absolute paths and links then count only if that directory is the root.
 */
export type Place = string | { readonly beneath: OpenFile; readonly path: string };

export interface OpenOptions {
  readonly read?: boolean;
  readonly write?: boolean;
  /** Every write goes to the end, whatever the offset is. */
  readonly append?: boolean;
  readonly create?: boolean;
  /** With `create`: EEXIST if there is anything, even a link that leads nowhere. */
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  /** ENOTDIR if it is anything else. */
  readonly directory?: boolean;
  /** What to do with a link at the end of the path; "keep" is ELOOP. The default is "follow". */
  readonly links?: "follow" | "keep";
  /** The mode of a file that is created; the default is 0o644. */
  readonly mode?: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly ino: number;
  readonly kind: FileKind;
  /** Names this place in the directory: `list(cookie)` goes on after it, even if entries came or went meanwhile. */
  readonly cookie: number;
}

/** Times to set, in nanoseconds; what is left out stays. */
export interface FileTimes {
  readonly atime?: bigint;
  readonly mtime?: bigint;
}

/**
 * An open file description, as POSIX calls it: one offset, however many descriptors share it.
 * A file that is removed while it is open stays readable and writable until the last `close`.
 */
export interface OpenFile {
  readonly kind: FileKind;
  readonly readable: boolean;
  readonly writable: boolean;
  append: boolean;
  stat(): FileStat;
  /** Reads at the offset and moves it. 0 is the end. EBADF if not opened for reading; EISDIR for a directory. */
  read(into: Uint8Array): number;
  /** Reads at `offset`, and leaves the file's own offset alone. ESPIPE for a device. */
  readAt(into: Uint8Array, offset: number): number;
  /** Writes all of it or nothing: ENOSPC and EFBIG leave the file as it was. */
  write(from: Uint8Array): number;
  /** As `write`, at `offset`; at the end if `append` is set, as Linux does. */
  writeAt(from: Uint8Array, offset: number): number;
  /** Gives the new offset. It may be behind the end; EINVAL before the start. */
  seek(offset: number, from: "start" | "current" | "end"): number;
  truncate(size: number): void;
  setTimes(times: FileTimes): void;
  /** Entries of a directory after `cookie` (0: from the start), without `.` and `..`, `limit` of them at most. */
  list(cookie: number, limit: number): readonly DirectoryEntry[];
  /** One more holder of this description: it is closed when each has called `close`. */
  share(): OpenFile;
  /** Idempotent once the last holder has called it. */
  close(): void;
}

export interface FileSystemUsage {
  readonly bytes: number;
  readonly files: number;
  readonly open: number;
}

/**
 * Files as POSIX has them, for one user, and without waiting: commands in WebAssembly cannot wait for a promise
 * everywhere. Every method throws `FileSystemError` and nothing else, and then has changed nothing.
 */
export interface FileSystem {
  open(place: Place, options: OpenOptions): OpenFile;
  /** `links` says whether a link at the end of the path is followed. */
  stat(place: Place, links: "follow" | "keep"): FileStat;
  /** The absolute path without links; ENOENT if there is nothing. */
  realPath(place: Place): string;
  readLink(place: Place): string;
  makeDirectory(place: Place, mode?: number): void;
  removeDirectory(place: Place): void;
  /** Removes a name; the file itself when its last name and its last `OpenFile` are gone. EISDIR for directories. */
  unlink(place: Place): void;
  /** Replaces what `to` names, in one step. A directory replaces only an empty directory. */
  rename(from: Place, to: Place): void;
  /** Another name for the same file; EPERM for directories. A link at the end of `from` is not followed. */
  link(from: Place, to: Place): void;
  /** Makes a link that says `target`, whatever that is. */
  symlink(target: string, at: Place): void;
  setMode(place: Place, mode: number, links?: "follow" | "keep"): void;
  setTimes(place: Place, times: FileTimes, links: "follow" | "keep"): void;
  truncate(place: Place, size: number): void;
  /** All entries of a directory, without `.` and `..`, in the order in which they were made. */
  readDirectory(place: Place): readonly DirectoryEntry[];
  /** The bytes are the caller's own. */
  readFile(place: Place): Uint8Array<ArrayBuffer>;
  /** Creates the file, or replaces what is in it. */
  writeFile(place: Place, bytes: Uint8Array, mode?: number): void;
  usage(): FileSystemUsage;
  /** What differs from the base that is mounted at `mountPoint`, sorted by path. EINVAL if nothing is mounted there. */
  changes(mountPoint: string): readonly Change[];
}
