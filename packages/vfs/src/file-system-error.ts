/** Why an operation of a file system failed: the names of POSIX, and `ENOTCAPABLE` for a path that leads out. */
export const fileSystemErrorCodes = [
  "EACCES",
  "EBADF",
  "EBUSY",
  "EEXIST",
  "EFBIG",
  "EILSEQ",
  "EINVAL",
  "EIO",
  "EISDIR",
  "ELOOP",
  "EMFILE",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOSPC",
  "ENOTCAPABLE",
  "ENOTDIR",
  "ENOTEMPTY",
  "EPERM",
  "EROFS",
  "ESPIPE",
] as const;
export type FileSystemErrorCode = (typeof fileSystemErrorCodes)[number];

/** The words that GNU programs use for each code. */
const WORDS: Readonly<Record<FileSystemErrorCode, string>> = {
  EACCES: "Permission denied",
  EBADF: "Bad file descriptor",
  EBUSY: "Device or resource busy",
  EEXIST: "File exists",
  EFBIG: "File too large",
  EILSEQ: "Invalid or incomplete multibyte or wide character",
  EINVAL: "Invalid argument",
  EIO: "Input/output error",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  EMFILE: "Too many open files",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOSPC: "No space left on device",
  ENOTCAPABLE: "Capabilities insufficient",
  ENOTDIR: "Not a directory",
  ENOTEMPTY: "Directory not empty",
  EPERM: "Operation not permitted",
  EROFS: "Read-only file system",
  ESPIPE: "Illegal seek",
};

/**
 * The message has no path: whoever asked knows it, and prints it as its command does.
 *
 * It has the shape of a coded error, and is none: programs that look for a file in twenty places throw it so often
 * that this package does without `kit`.
 */
export class FileSystemError extends Error {
  readonly code: FileSystemErrorCode;

  constructor(code: FileSystemErrorCode, options: { readonly cause?: unknown } = {}) {
    super(WORDS[code], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "FileSystemError";
    this.code = code;
  }
}

export function fail(code: FileSystemErrorCode): never {
  throw new FileSystemError(code);
}
