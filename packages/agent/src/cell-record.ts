import type { CellId } from "@deputy/kit";
import type { Redactor } from "@deputy/policy";
import type { NewEvent, Operation } from "@deputy/protocol";
import type { CellRequest, Ran } from "./cell-report.ts";
import { DEEPEST_JSON, jsonDepth } from "./json-depth.ts";
import type { Receipt } from "./receipt.ts";

/** A larger result is in the encrypted journal only; the event keeps its beginning. */
const LOGGED_RESULT_CHARS = 16_384;
/** All results of one cell together; those after it are in the journal only. */
const LOGGED_RESULTS_CHARS = 1_000_000;

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
      ...(ran.resultJson === undefined ? {} : { result: loggedResult(ran.resultJson, redactor) }),
      logs: ran.logs.map((line) => redactor.text(line)),
      operations: operationsOf(ran.receipts, redactor),
      ...(failure === undefined ? {} : { error: { ...failure, message: redactor.text(failure.message) } }),
    },
  };
}

function operationsOf(receipts: readonly Receipt[], redactor: Redactor): Operation[] {
  let left = LOGGED_RESULTS_CHARS;
  return receipts.map(({ toolPath: fn, input, durationMs, resultJson }) => {
    left -= JSON.stringify(input).length + Math.min(resultJson?.length ?? 0, LOGGED_RESULT_CHARS);
    if (left < 0) return { fn, args: [], durationMs };
    const result = resultJson === undefined ? {} : { result: loggedResult(resultJson, redactor) };
    return { fn, args: [redactor.json(input)], durationMs, ...result };
  });
}

/** Redacted before it is cut, so that no part of a secret is left at the edge. */
function loggedResult(json: string, redactor: Redactor): unknown {
  const text = redactor.text(json);
  if (text.length <= LOGGED_RESULT_CHARS && jsonDepth(text) <= DEEPEST_JSON) return JSON.parse(text);
  return `${text.slice(0, LOGGED_RESULT_CHARS)}… (${json.length} characters in all)`;
}
