import type { CallId } from "@deputy/kit";
import type { CallStatus, EventData } from "@deputy/protocol";

/** What is left of a call once it has ended: for the model, the user and the record. */
export interface Receipt {
  readonly callId: CallId;
  readonly toolPath: string;
  readonly status: CallStatus;
  readonly durationMs: number;
  /** When its cell is told, by the cell's clock, and as which one. */
  readonly atMs: number;
  readonly order: number;
  /** Plain JSON. */
  readonly input: unknown;
  /** JSON text; only for a call that succeeded. */
  readonly resultJson?: string;
  /** Why it did not succeed: `code` is one of these, or a tool's own; the message is safe to show. */
  readonly error?: CallError;
  /** Present when the error is the tool's own, and not what Deputy says of the call: a code tells nothing. */
  readonly isToolError?: true;
  /** What the tool kept for the user besides. */
  readonly attachments?: readonly Attachment[];
  /** Where the tool's words are from, as labels and questions name it, where that is not its path. */
  readonly source?: string;
}

export interface CallError {
  readonly code: string;
  readonly message: string;
  /** Of HTTP, where a server refused. */
  readonly status?: number | undefined;
  /** What was answered instead of a result, as JSON. */
  readonly bodyJson?: string | undefined;
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
export type CallEnd = Pick<Receipt, "status" | "resultJson" | "error" | "isToolError" | "attachments">;

export function failed(code: CallErrorCode, message: string): CallEnd {
  return { status: "failed", error: { code, message } };
}

/** An input that does not fit; or a tool that takes none, which says why with a code of its own. */
export function invalidInput(input: {
  readonly code?: string | undefined;
  readonly message: string;
}): CallEnd {
  const { code = "invalid_input", message } = input;
  return { status: "failed", error: { code, message } };
}

export function denied(message: string, code: "denied" | "approval_expired" = "denied"): CallEnd {
  return { status: "denied", error: { code, message } };
}

export function unknownEnd(message: string): CallEnd {
  return { status: "unknown", error: { code: "unknown", message } };
}

export function noTool(toolPath: string): string {
  return `There is no tool ${toolPath}.`;
}
