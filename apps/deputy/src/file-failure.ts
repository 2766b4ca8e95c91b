/** The system's code of a failure with a file, such as `ENOENT`. */
export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** Describes the failure in words. */
export function describeFileFailure(error: unknown): string {
  const code = fileErrorCode(error);
  return code === undefined ? "unknown reason" : (WORDS[code] ?? code);
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the disk is read-only",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a directory",
  EEXIST: "it is a file",
  ELOOP: "its links lead nowhere",
  ENOSPC: "the disk is full",
};
