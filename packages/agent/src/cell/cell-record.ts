import type { CellId } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import type { JournalEntry, NewEvent, Operation } from "@deputy/protocol";
import type { CellRequest, Ran } from "./cell-report.ts";
import type { Receipt } from "../gate/receipt.ts";
import { redactJson } from "../gate/redact-json.ts";
import { asScriptCall } from "./script-globals.ts";

/** A larger result is in the encrypted journal only; the event keeps its beginning. */
const LOGGED_RESULT_CHARS = 16_384;
/** All results of one cell together; those after it are in the journal only. */
const LOGGED_RESULTS_CHARS = 1_000_000;

/** The events that one transaction writes to the log when a cell ends. */
export interface CellEnd {
  /** Redacted and bounded. */
  readonly event: NewEvent;
  /** The result of a program of the user's own, when the event has it cut or redacted: it is theirs to have whole. */
  readonly journal: readonly JournalEntry[];
}

export function cellEnd(
  request: Pick<CellRequest, "turnId" | "providerCallId" | "isScript" | "writtenBy">,
  cellId: CellId,
  failure: { readonly code: string; readonly message: string; readonly line?: number } | undefined,
  ran: Ran,
  redactor: Redactor,
): CellEnd {
  const { resultJson } = ran;
  const isAnswer = request.providerCallId === undefined;
  const isUsers = isAnswer && request.writtenBy === undefined;
  const logged = resultJson === undefined ? undefined : loggedResult(resultJson, redactor);
  const journal =
    isUsers && resultJson !== undefined && logged?.isWhole === false
      ? [{ cellId, kind: "result", bytes: new TextEncoder().encode(resultJson) }]
      : [];
  const { logSources = [] } = ran;
  const event: NewEvent = {
    type: "cell.completed",
    turnId: request.turnId,
    data: {
      cellId,
      ...(isAnswer ? { author: "user" as const } : {}),
      ...(logged === undefined ? {} : { result: logged.value }),
      ...(journal.length === 0 ? {} : { wholeResult: "journal" as const }),
      // All lines are redacted as one value, because a secret may be spread over several lines.
      logs: redactor.json([...ran.logs]),
      ...(logSources.length === 0 ? {} : { logSources: [...logSources] }),
      operations: operationsOf(ran.receipts, request.isScript === true, redactor),
      ...(failure === undefined ? {} : { error: { ...failure, message: redactor.text(failure.message) } }),
    },
  };
  return { event, journal };
}

/** A script's calls as it wrote them: by the name of the global, where it has one. */
function operationsOf(receipts: readonly Receipt[], isScript: boolean, redactor: Redactor): Operation[] {
  let left = LOGGED_RESULTS_CHARS;
  return receipts.map(({ toolPath, input, durationMs, resultJson }) => {
    const called = isScript ? asScriptCall(toolPath, input) : undefined;
    const { fn, args } = called ?? { fn: toolPath, args: [input] };
    left -= JSON.stringify(input).length + Math.min(resultJson?.length ?? 0, LOGGED_RESULT_CHARS);
    if (left < 0) return { fn, args: [], durationMs };
    const result = resultJson === undefined ? {} : { result: loggedResult(resultJson, redactor).value };
    return { fn, args: args.map((arg) => redactor.json(arg)), durationMs, ...result };
  });
}

/** Redacted before it is cut, so that no part of a secret is left at the edge. */
function loggedResult(
  json: string,
  redactor: Redactor,
): { readonly value: unknown; readonly isWhole: boolean } {
  const { text, kind } = redactJson(json, redactor);
  if (text.length <= LOGGED_RESULT_CHARS && kind === "json")
    return { value: JSON.parse(text), isWhole: text === json };
  const value = `${text.slice(0, LOGGED_RESULT_CHARS)}… (${json.length} characters in all)`;
  return { value, isWhole: false };
}
