import { type CellId, cutText } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import type { EventData, JournalEntry, NewEvent, Operation } from "@deputy/protocol";
import type { CellRequest, Ran } from "./cell-report.ts";
import type { Receipt } from "../gate/receipt.ts";
import { fitJson, jsonHead } from "../gate/json-head.ts";
import { DEEPEST_JSON, jsonSize } from "../gate/json-size.ts";
import { asCall } from "./draft-cell.ts";
import { redactJson, SHOWN_JSON_CHARS } from "../gate/redact-json.ts";
import { asScriptCall, SCRIPT_GLOBALS, type ScriptGlobal } from "./script-globals.ts";

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
  request: Pick<CellRequest, "turnId" | "providerCallId" | "isScript" | "writtenBy" | "call">,
  cellId: CellId,
  failure: { readonly code: string; readonly message: string; readonly line?: number } | undefined,
  ran: Ran,
  redactor: Redactor,
  /** How a result that is too long is cut: for a model to parts; earlier versions to its beginning, or its text. */
  cutTo: CutTo = request.providerCallId === undefined ? "text" : "parts",
  /** The other names that a script had for tools; an earlier version had others. */
  globals: readonly ScriptGlobal[] = SCRIPT_GLOBALS,
): CellEnd {
  const { resultJson } = ran;
  const isAnswer = request.providerCallId === undefined;
  const isUsers = isAnswer && request.writtenBy === undefined;
  const logged = resultJson === undefined ? undefined : loggedResult(resultJson, redactor, cutTo);
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
      ...(logged?.cut === undefined ? {} : { cut: logged.cut }),
      ...(journal.length === 0 ? {} : { wholeResult: "journal" as const }),
      // All lines are redacted as one value, because a secret may be spread over several lines.
      logs: redactor.json([...ran.logs]),
      ...(logSources.length === 0 ? {} : { logSources: [...logSources] }),
      ...asCall(request.call),
      operations: operationsOf(ran.receipts, request.isScript === true ? globals : [], redactor),
      ...(failure === undefined ? {} : { error: { ...failure, message: redactor.text(failure.message) } }),
    },
  };
  return { event, journal };
}

export type CutTo = "parts" | "beginning" | "text";

/** A script's calls as it wrote them: by the name of the global, where it has one. */
function operationsOf(
  receipts: readonly Receipt[],
  globals: readonly ScriptGlobal[],
  redactor: Redactor,
): Operation[] {
  let left = LOGGED_RESULTS_CHARS;
  return receipts.map(({ toolPath, input, askedJson, durationMs, resultJson }) => {
    // As it was written: with what the schema adds, it would be another call.
    const asked: unknown = askedJson === undefined ? input : JSON.parse(askedJson);
    const called = asScriptCall(toolPath, asked, globals);
    const { fn, args } = called ?? { fn: toolPath, args: [input] };
    left -= JSON.stringify(input).length + Math.min(resultJson?.length ?? 0, LOGGED_RESULT_CHARS);
    if (left < 0) return { fn, args: [], durationMs };
    const result =
      resultJson === undefined ? {} : { result: loggedResult(resultJson, redactor, "text").value };
    return { fn, args: args.map((arg) => redactor.json(arg)), durationMs, ...result };
  });
}

/** Redacted before it is cut, so that no part of a secret is left at the edge. */
function loggedResult(
  json: string,
  redactor: Redactor,
  cutTo: CutTo,
): { readonly value: unknown; readonly isWhole: boolean; readonly cut?: Cut } {
  const { text, kind } = redactJson(json, redactor);
  if (text.length <= LOGGED_RESULT_CHARS && kind === "json")
    return { value: JSON.parse(text), isWhole: text === json };
  if (cutTo === "parts" && jsonSize(json).depth <= DEEPEST_JSON) {
    const room = { redacted: SHOWN_JSON_CHARS, shown: LOGGED_RESULT_CHARS };
    const { value, parts } = fitJson(JSON.parse(json), room, redactor);
    return { value, isWhole: false, cut: { chars: json.length, parts: [...parts] } };
  }
  if (cutTo === "beginning" && kind !== "text") {
    const value = jsonHead(text, LOGGED_RESULT_CHARS, redactor);
    return { value, isWhole: false, cut: { chars: json.length, ...itemsOf(value, json) } };
  }
  const value = `${cutText(text, LOGGED_RESULT_CHARS)}… (${json.length} characters in all)`;
  return { value, isWhole: false };
}

type Cut = NonNullable<EventData<"cell.completed">["cut"]>;

/** How many items of a list are shown. */
function itemsOf(shown: unknown, json: string): Pick<Cut, "items"> {
  if (!Array.isArray(shown)) return {};
  const { length } = JSON.parse(json) as readonly unknown[];
  return { items: { shown: shown.length, of: length } };
}
