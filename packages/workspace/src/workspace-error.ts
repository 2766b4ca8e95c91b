import { CodedError } from "@deputy/kit";

export const workspaceErrorCodes = [
  "path_refused",
  "link_refused",
  "not_found",
  "not_a_file",
  "not_a_folder",
  "not_text",
  "file_too_large",
  "too_many_files",
  "folder_missing",
  "folder_refused",
  "no_real_folder",
  "uncommitted_changes",
  "stale_change_set",
  "unknown_change",
  "unknown_snapshot",
  "workspace_busy",
  "workspace_damaged",
  "file_failed",
] as const;
export type WorkspaceErrorCode = (typeof workspaceErrorCodes)[number];

export class WorkspaceError extends CodedError<WorkspaceErrorCode> {}
