// Files in memory as POSIX has them. What runs on them (commands, the shell) does not belong here.
export { type BaseEntry, type BaseTree, createMemoryBase } from "./base-tree.ts";
export type { Change } from "./changes.ts";
export type { Device, RandomBytes } from "./device.ts";
export type {
  DirectoryEntry,
  FileKind,
  FileStat,
  FileSystem,
  FileSystemUsage,
  FileTimes,
  OpenFile,
  OpenOptions,
  Place,
} from "./file-system.ts";
export { FileSystemError, type FileSystemErrorCode, fileSystemErrorCodes } from "./file-system-error.ts";
export { createMemoryFileSystem, type MemoryFileSystemDeps, type Mount } from "./memory-file-system.ts";
export { defaultFileSystemLimits, type FileSystemLimits } from "./quota.ts";
