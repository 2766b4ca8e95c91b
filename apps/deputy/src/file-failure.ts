import { systemCodeOf } from "@deputy/kit";
/** Describes the failure in words. */
export function describeFileFailure(error: unknown): string {
  const code = systemCodeOf(error);
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
