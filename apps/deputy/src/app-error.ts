import { CodedError } from "@deputy/kit";

export const appErrorCodes = [
  "usage",
  "config_invalid",
  "unknown_setting",
  "secret_unavailable",
  "home_unusable",
  "file_unreadable",
  "file_unwritable",
  "unknown_tool",
  "token_invalid",
  "hooks_invalid",
  "not_found",
  "already_decided",
  "not_available",
  "changed_meanwhile",
  "not_from_here",
] as const;
export type AppErrorCode = (typeof appErrorCodes)[number];

export class AppError extends CodedError<AppErrorCode> {}
