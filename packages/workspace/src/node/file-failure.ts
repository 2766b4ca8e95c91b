import { systemCodeOf } from "@deputy/kit";
import { WorkspaceError } from "../workspace-error.ts";

/** What a failed system call means for its path. Rethrows anything that is not such a failure. */
export function fileFailure(path: string, error: unknown): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const code = systemCodeOf(error);
  if (code === undefined) throw error;
  const cause = { cause: error };
  const name = path === "" ? "the folder" : path;
  if (code === "ENOENT") return new WorkspaceError("not_found", `There is no ${name}`, cause);
  if (code === "ENOTDIR") return new WorkspaceError("not_a_folder", `A part of ${name} is a file`, cause);
  if (code === "EISDIR") return new WorkspaceError("not_a_file", `${name} is a folder`, cause);
  if (code === "ELOOP") return linkRefused(path);
  return new WorkspaceError("file_failed", `${name} cannot be used: ${WORDS[code] ?? code}`, cause);
}

export function linkRefused(path: string): WorkspaceError {
  return new WorkspaceError("link_refused", `${path} is a link, or lies behind one; links are not followed`);
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "its name is too long",
  ENXIO: "it is not a file",
};
