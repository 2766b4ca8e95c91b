import { CodedError } from "@deputy/kit";

export const toolsErrorCodes = [
  "invalid_tool",
  "duplicate_tool",
  "plugin_not_found",
  "plugin_failed",
  "plugin_invalid",
  "plugin_crashed",
  "plugin_unresponsive",
  "invalid_output",
  "patch_invalid",
  "patch_conflict",
  "text_too_long",
  "text_not_found",
  "text_ambiguous",
  "command_denied",
  "command_not_cleared",
  "sandbox_unavailable",
  "command_failed",
  "process_not_found",
  "process_not_writable",
  "process_killed",
  "too_many_processes",
  "credential_missing",
  "credential_refused",
  "session_not_found",
  "task_not_found",
  "reminder_not_found",
  "slash_command_not_found",
  "not_available",
  "spec_not_found",
  "spec_invalid",
  "spec_too_large",
  "spec_pins_invalid",
  "request_invalid",
  "address_refused",
  "auth_failed",
  "http_bad_request",
  "http_unauthorized",
  "http_forbidden",
  "http_not_found",
  "http_conflict",
  "http_rate_limited",
  "http_client_error",
  "http_server_error",
  "http_unreachable",
  "response_too_large",
  "response_invalid",
  "content_unsupported",
  "search_failed",
  "mcp_unreachable",
  "mcp_disconnected",
  "mcp_timeout",
  "mcp_invalid",
  "mcp_failed",
  "mcp_unauthorized",
  "mcp_tool_disabled",
  "mcp_pins_invalid",
  "outcome_unknown",
  "browser_not_found",
  "browser_failed",
  "site_not_allowed",
  "page_elsewhere",
  "page_changed",
  "page_failed",
  "page_too_large",
  "element_not_found",
  "element_unusable",
  "approval_needed",
  "download_failed",
] as const;
export type ToolsErrorCode = (typeof toolsErrorCodes)[number];

export class ToolsError extends CodedError<ToolsErrorCode> {
  /**
   * The parts of the message that Deputy did not word itself, such as a host's name, if all of them are known; empty
   * for a message of fixed words. Absent: it is unknown whose words it contains.
   */
  readonly quotes: readonly string[] | undefined;

  constructor(
    code: ToolsErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hint?: string;
      readonly quotes?: readonly string[] | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.quotes = options.quotes;
  }
}

/** There was no connection, so nothing was sent: a call that fails with it has had no effect. */
export class NotSentError extends ToolsError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("http_unreachable", message, options);
  }
}

/** A refusal that came with an answer: programs that catch it get that too, as data. */
export class AnsweredError extends ToolsError {
  /** The HTTP status. */
  readonly status: number | undefined;
  /** JSON or text, without secrets. Someone else wrote it. */
  readonly body: unknown;

  constructor(
    code: ToolsErrorCode,
    message: string,
    answer: { readonly status?: number | undefined; readonly body: unknown },
  ) {
    super(code, message);
    this.status = answer.status;
    this.body = answer.body;
  }
}
