import { CodedError } from "@deputy/kit";

export const toolsErrorCodes = [
  "invalid_tool",
  "duplicate_tool",
  "plugin_not_found",
  "plugin_failed",
  "plugin_invalid",
  "invalid_output",
] as const;
export type ToolsErrorCode = (typeof toolsErrorCodes)[number];

export class ToolsError extends CodedError<ToolsErrorCode> {}
