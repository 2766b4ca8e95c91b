import type { CellId } from "@deputy/kit";
import type { Redactor } from "@deputy/policy";
import type { NewEvent, Operation } from "@deputy/protocol";
import type { CellRequest, Ran } from "./cell-report.ts";
import type { Receipt } from "./receipt.ts";

/** A larger result is in the encrypted journal only; the event keeps its beginning. */
const LOGGED_RESULT_CHARS = 16_384;

/** The event that ends a cell, redacted. */
export function completedEvent(
  request: CellRequest,
  cellId: CellId,
  failure: { readonly code: string; readonly message: string; readonly line?: number } | undefined,
  ran: Ran,
  redactor: Redactor,
): NewEvent {
  return {
    type: "cell.completed",
    turnId: request.turnId,
    data: {
      cellId,
      ...(ran.resultJson === undefined ? {} : { result: redactor.json(boundedResult(ran.resultJson)) }),
      logs: ran.logs.map((line) => redactor.text(line)),
      operations: ran.receipts.map((receipt) => redactor.json(operationOf(receipt))),
      ...(failure === undefined ? {} : { error: { ...failure, message: redactor.text(failure.message) } }),
    },
  };
}

function operationOf(receipt: Receipt): Operation {
  const { toolPath: fn, input, durationMs, resultJson } = receipt;
  const result = resultJson === undefined ? {} : { result: boundedResult(resultJson) };
  return { fn, args: [input], durationMs, ...result };
}

function boundedResult(json: string): unknown {
  if (json.length <= LOGGED_RESULT_CHARS) return JSON.parse(json);
  return `${json.slice(0, LOGGED_RESULT_CHARS)}… (${json.length} characters in all)`;
}
