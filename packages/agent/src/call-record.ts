import type { Redactor } from "@deputy/policy";
import type { JournalEntry, NewEvent } from "@deputy/protocol";
import type { CallRequest } from "./call-request.ts";
import type { Receipt } from "./receipt.ts";

const PREVIEW_CHARS = 200;

/** The event that ends a call. */
export function settledEvent(receipt: Receipt, request: CallRequest, redactor: Redactor): NewEvent {
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
      ...(shown === undefined ? {} : { preview: redactor.text(shown).slice(0, PREVIEW_CHARS) }),
      ...(error === undefined ? {} : { error: { code: error.code, message: redactor.text(error.message) } }),
      attachments: [],
      labels: [{ trust: "untrusted", source: toolPath }],
      durationMs,
    },
  };
}

/** The raw outcome, which the log itself only holds redacted: what a resumed cell settles the call with. */
export function journalEntry(
  receipt: Receipt,
  request: CallRequest,
  inputHash: string,
  atMs: number,
): JournalEntry {
  const { status, resultJson, error } = receipt;
  const value = { index: request.index, inputHash, status, resultJson, error, atMs };
  return { cellId: request.cellId, kind: "settled", bytes: new TextEncoder().encode(JSON.stringify(value)) };
}
