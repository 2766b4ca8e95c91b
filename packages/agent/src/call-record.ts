import type { CallId } from "@deputy/kit";
import type { PolicyDecision, Redactor } from "@deputy/policy";
import type { ApprovalPreview, NewEvent } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";
import type { CallRequest } from "./call-request.ts";
import type { Receipt } from "./receipt.ts";

const PREVIEW_CHARS = 200;

/** The event that begins a call; `input` is redacted already. */
export function requestedEvent(
  callId: CallId,
  request: CallRequest,
  input: unknown,
  inputHash: string,
): NewEvent {
  const { turnId, cellId, index, toolPath, labels } = request;
  const data = { callId, cellId, index, toolPath, input, inputHash, labels: [...labels] };
  return { type: "call.requested", turnId, data };
}

export function decidedEvent(callId: CallId, request: CallRequest, decision: PolicyDecision): NewEvent {
  const { decision: verdict, rule, reasons } = decision;
  const data = { callId, decision: verdict, rule, provenance: [...reasons] };
  return { type: "call.decided", turnId: request.turnId, data };
}

/** What the user is shown; a plugin whose own words fail gets plain ones. */
export function previewOf(tool: CatalogueTool, input: unknown): ApprovalPreview {
  try {
    return tool.preview(input);
  } catch {
    return { title: tool.path };
  }
}

/** How the user is asked about a call that was running when Deputy stopped. */
export function questionPreview({ title, details }: ApprovalPreview): ApprovalPreview {
  const question =
    "This was running when Deputy stopped, so it may or may not have happened. Look first. Yes runs it again; no goes on without it; if it did happen, say what it gave (in the terminal: h and its JSON; in the API: result).";
  return {
    title: `Did this happen? ${title}`,
    details: details === undefined ? question : `${question}\n\n${details}`,
  };
}

/** The event that ends a call. */
export function settledEvent(
  receipt: Receipt,
  request: Pick<CallRequest, "turnId" | "cellId">,
  redactor: Redactor,
): NewEvent {
  const { callId, toolPath, status, error, resultJson, durationMs } = receipt;
  const shown = error?.message ?? resultJson;
  return {
    type: "call.settled",
    turnId: request.turnId,
    data: {
      callId,
      cellId: request.cellId,
      toolPath,
      status,
      ...(shown === undefined ? {} : { preview: shorten(redactor.text(shown)) }),
      ...(error === undefined ? {} : { error: { code: error.code, message: redactor.text(error.message) } }),
      attachments: [],
      labels: [{ trust: "untrusted", source: toolPath }],
      durationMs,
    },
  };
}

function shorten(text: string): string {
  return text.length <= PREVIEW_CHARS ? text : `${text.slice(0, PREVIEW_CHARS)}…`;
}
