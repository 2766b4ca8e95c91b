import type { CallId } from "@deputy/kit";
import type { PolicyDecision } from "@deputy/policy";
import type { Redactor } from "@deputy/policy/secrets";
import type { Label, NewEvent, ResultTrust } from "@deputy/protocol";
import type { CallRequest } from "./call-request.ts";
import type { Receipt } from "./receipt.ts";
import { isFromTool, trustOf } from "./session-origins.ts";

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

/** The reasons name values, which may be secret. */
export function decidedEvent(
  callId: CallId,
  request: CallRequest,
  decision: PolicyDecision,
  redactor: Redactor,
): NewEvent {
  const { decision: verdict, rule, reasons } = decision;
  const data = { callId, decision: verdict, rule, provenance: redactor.json([...reasons]) };
  return { type: "call.decided", turnId: request.turnId, data };
}

/** The event that ends a call. */
export function settledEvent(
  receipt: Receipt,
  request: Pick<CallRequest, "turnId" | "cellId">,
  trust: ResultTrust | undefined,
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
      labels: labelsOf(receipt, trust),
      durationMs,
    },
  };
}

/** Whose words a result is; what Deputy itself says of a call needs no label. */
function labelsOf(receipt: Receipt, declared: ResultTrust | undefined): Label[] {
  if (!isFromTool(receipt)) return [];
  const trust = trustOf(receipt.status, declared) === "trusted" ? "trusted" : "untrusted";
  return [{ trust, source: receipt.toolPath }];
}

function shorten(text: string): string {
  return text.length <= PREVIEW_CHARS ? text : `${text.slice(0, PREVIEW_CHARS)}…`;
}
