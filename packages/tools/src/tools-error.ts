import { CodedError } from "@deputy/kit";

export const toolsErrorCodes = [
  "invalid_tool",
  "duplicate_tool",
  "plugin_not_found",
  "plugin_failed",
  "plugin_invalid",
  "invalid_output",
  "patch_invalid",
  "patch_conflict",
  "text_too_long",
  "text_not_found",
  "text_ambiguous",
  "pattern_invalid",
  "command_denied",
  "command_not_cleared",
  "sandbox_unavailable",
  "command_failed",
] as const;
export type ToolsErrorCode = (typeof toolsErrorCodes)[number];

export class ToolsError extends CodedError<ToolsErrorCode> {}
