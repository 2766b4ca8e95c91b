import type { CallId } from "@deputy/kit";
import type { CallStatus, EventData } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";

/** The record of a call that has ended: for the model, the user and the log. */
export interface Receipt {
  readonly callId: CallId;
  readonly toolPath: string;
  readonly status: CallStatus;
  /** How long the tool ran, without the wait for an answer. Of a call that never ran: how long it was open. */
  readonly durationMs: number;
  /** The time, by the cell's clock, at which the cell gets it, and its place in the order of settlements. */
  readonly atMs: number;
  readonly order: number;
  /** Plain JSON. */
  readonly input: unknown;
  /** The input as it was given, as JSON, where the tool's schema has changed it. */
  readonly askedJson?: string | undefined;
  /** JSON text; only for a call that succeeded. */
  readonly resultJson?: string;
  /** Why it did not succeed: `code` is one of these, or a tool's own; the message is safe to show. */
  readonly error?: CallError;
  /** Present when the tool itself raised the error, and not Deputy. The code alone does not show which. */
  readonly isToolError?: true;
  /** Attachments that the tool kept for the user in addition to its result. */
  readonly attachments?: readonly Attachment[];
  /** The name that labels and questions give to the origin of the tool's words, if that is not the tool's path. */
  readonly source?: string;
  /** Present when the result has words for which the tool's trust does not hold; `source` says whose. */
  readonly isQuoting?: true;
}

export interface CallError {
  readonly code: string;
  readonly message: string;
  /** The HTTP status, if a server refused. */
  readonly status?: number | undefined;
  /** What to do next, if whoever raised the error says so. */
  readonly hint?: string | undefined;
  /** The body of the refusal, as JSON. */
  readonly bodyJson?: string | undefined;
  /** Present when the user said no: to what, and in which words, if they gave a reason. */
  readonly declined?: { readonly call: string; readonly said?: string | undefined } | undefined;
}

export type Attachment = EventData<"call.settled">["attachments"][number];

export const callErrorCodes = [
  "unknown_tool",
  "invalid_input",
  "denied",
  "approval_expired",
  "tool_failed",
  "result_too_large",
  "tool_timeout",
  "unknown",
  "interrupted",
] as const;
type CallErrorCode = (typeof callErrorCodes)[number];

/** How a call ended, before it has a receipt. */
export type CallEnd = Pick<Receipt, "status" | "resultJson" | "error" | "isToolError" | "attachments"> &
  Partial<Pick<Receipt, "durationMs">>;

export function failed(code: CallErrorCode, message: string): CallEnd {
  return { status: "failed", error: { code, message } };
}

/**
 * An input that does not fit; or a tool that takes none, which says why with a code of its own. What does not fit is
 * told in words of the tool's schema, and so of its author.
 */
export function invalidInput(
  input: { readonly code?: string | undefined; readonly message: string },
  { describedBy }: Pick<CatalogueTool, "describedBy">,
): CallEnd {
  const { code = "invalid_input", message } = input;
  const isQuoted = describedBy !== undefined && input.code === undefined;
  return { status: "failed", error: { code, message }, ...(isQuoted ? { isToolError: true } : {}) };
}

export function denied(message: string, code: "denied" | "approval_expired" = "denied"): CallEnd {
  return { status: "denied", error: { code, message } };
}

export function unknownEnd(message: string): CallEnd {
  return { status: "unknown", error: { code: "unknown", message } };
}

export const RAN_WHEN_STOPPED = "It was running when Deputy stopped; its outcome is unknown.";

export function noTool(toolPath: string): string {
  return `There is no tool ${toolPath}.`;
}
