import { FileSystemError, type FileSystemErrorCode } from "@deputy/vfs";

/** The numbers of preview 1, under the names of POSIX. */
export const ERRNO = {
  success: 0,
  EACCES: 2,
  EBADF: 8,
  EBUSY: 10,
  EEXIST: 20,
  EFAULT: 21,
  EFBIG: 22,
  EILSEQ: 25,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENOENT: 44,
  ENOSPC: 51,
  ENOSYS: 52,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  ENOTSOCK: 57,
  ENOTSUP: 58,
  EPERM: 63,
  EPIPE: 64,
  EROFS: 69,
  ESPIPE: 70,
  ENOTCAPABLE: 76,
} as const satisfies Record<string, number> & Record<FileSystemErrorCode, number>;
export type Errno = keyof typeof ERRNO;

/** A call that failed: the program is given the number, and nobody else hears of it. */
export class CallFailure extends Error {
  readonly errno: Errno;

  constructor(errno: Errno) {
    super(errno);
    this.name = "CallFailure";
    this.errno = errno;
  }
}

export function refuse(errno: Errno): never {
  throw new CallFailure(errno);
}

/** The number for what a call threw; `undefined` for what is no answer to the program. */
export function errnoOf(error: unknown): number | undefined {
  if (error instanceof CallFailure) return ERRNO[error.errno];
  if (error instanceof FileSystemError) return ERRNO[error.code];
  // A pointer of the program leads out of its memory.
  if (error instanceof RangeError) return ERRNO.EFAULT;
  return undefined;
}
