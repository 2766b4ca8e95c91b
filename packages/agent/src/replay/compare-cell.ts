import type { CellOutcome } from "@deputy/codemode";
import type { EventData } from "@deputy/protocol";
import { createValueRedactor, REDACTED } from "@deputy/secrets";
import { cellEnd, type CutTo } from "../cell/cell-record.ts";
import { asToolCall, SCRIPT_GLOBALS, type ScriptGlobal, scriptGlobalsThen } from "../cell/script-globals.ts";
import type { CellRequest } from "../cell/cell-report.ts";
import { toReceipt } from "../cell/run-program.ts";
import { type Difference, type Divergence, firstDifference, isCutText, show } from "./divergence.ts";
import { callsOf, type CellTold, type RecordedCall } from "./recorded-cell.ts";
import type { CellEvents } from "./recorded-turn.ts";
import type { Retold } from "./retell-program.ts";

const raw = createValueRedactor([]);

/**
 * Did the program make the same calls, as far as it could? `isWhole`: it had come to its own end, so it may make no
 * others.
 */
export async function compareCalls(
  cell: CellEvents,
  told: CellTold,
  retold: Retold,
  isSame: (recorded: RecordedCall, call: Retold["calls"][number]) => Promise<boolean>,
  options: { readonly isWhole: boolean },
): Promise<Divergence | undefined> {
  const recorded = callsOf(cell, told);
  for (const call of retold.calls) {
    const what = `call ${call.id}`;
    const came = `${call.path} ${show(JSON.parse(call.inputJson))}`;
    const expected = recorded.get(call.id - 1);
    if (expected === undefined) {
      if (!options.isWhole) continue;
      return { seq: cell.submitted.seq, what, expected: "no such call", came };
    }
    if (!(await isSame(expected, call)))
      return { seq: expected.seq, what, expected: describe(expected), came };
    const cause = cell.settled[call.told - 1];
    if (cause !== undefined && cause.seq > expected.seq) {
      const late = `made only after ${cause.data.toolPath} had settled`;
      return { seq: expected.seq, what, expected: "made before that", came: late };
    }
  }
  const made = new Set(retold.calls.map(({ id }) => id - 1));
  for (const [index, call] of recorded) {
    if (made.has(index)) continue;
    return { seq: call.seq, what: `call ${index + 1}`, expected: describe(call), came: "not made" };
  }
  return undefined;
}

/** Did the program end in the same way: log, result or failure, and the list of its calls? */
export function compareEnd(
  cell: CellEvents,
  told: CellTold,
  outcome: Pick<CellOutcome, "logs"> & EndOfProgram,
): Difference | undefined {
  const { submitted, completed } = cell;
  if (completed === undefined || submitted.turnId === undefined) return undefined;
  const { providerCallId, cellId } = submitted.data;
  const author = providerCallId === undefined ? {} : { providerCallId };
  const receipts = told.settled.map(toReceipt);
  const indexes = new Map(told.settled.map(({ callId, index }) => [callId, index]));
  receipts.sort((a, b) => (indexes.get(a.callId) ?? 0) - (indexes.get(b.callId) ?? 0));
  const different = compareLogs(cell, outcome.logs);
  if (different !== undefined) return different;
  const { logs, logSources } = completed.data;
  const { event } = cellEnd(
    { turnId: submitted.turnId, ...author, ...writtenThen(cell) },
    cellId,
    outcome.failure,
    { resultJson: outcome.resultJson, logs, logSources, receipts },
    raw,
    cutThen(completed.data),
    globalsThen(cell, completed.data),
  );
  const recorded = comparable(byPath(cell, completed.data), completed.data);
  const came = comparable(byPath(cell, event.data as Completed), completed.data);
  const whole = told.wholeResultJson;
  return (
    firstDifference("cell.completed", recorded, came) ??
    (whole === undefined ? undefined : firstDifference("its whole result", whole, outcome.resultJson))
  );
}

/** Earlier versions named calls of scripts sometimes by their globals, sometimes by the tools' paths. */
function byPath(cell: CellEvents, data: Completed): Completed {
  const { isScript, apart } = cell.submitted.data;
  if (isScript !== true || apart === true) return data;
  const globals = scriptGlobalsThen(pathsOf(cell));
  return { ...data, operations: data.operations.map((operation) => asToolCall(operation, globals)) };
}

/** A script of today that called `bash.run` by its path was not said to have called `shell`. */
function globalsThen(cell: CellEvents, { operations }: Completed): readonly ScriptGlobal[] {
  const globals = scriptGlobalsThen(pathsOf(cell));
  return operations.some(({ fn }) => globals.some(({ name }) => name === fn)) ? globals : SCRIPT_GLOBALS;
}

function pathsOf({ requested }: CellEvents): readonly string[] {
  return requested.map(({ data }) => data.toolPath);
}

/** Records of earlier versions mark no single calls. */
function writtenThen({ submitted, completed }: CellEvents): Pick<CellRequest, "isScript" | "call"> {
  const { apart, call } = submitted.data;
  return {
    ...(apart === true ? { isScript: true } : {}),
    ...(completed?.data.asCall === true && call !== undefined
      ? { call: { ...call, input: call.input } }
      : {}),
  };
}

type Completed = EventData<"cell.completed">;

function cutThen({ result, cut }: Completed): CutTo | undefined {
  if (cut !== undefined) return cut.parts === undefined ? "beginning" : "parts";
  return isCutText(result) ? "text" : undefined;
}

/** Earlier versions did not say which of these calls had run. */
const UNAWAITED_THEN = "The code ended before these calls did: ";

/** A result that was redacted before it was cut may end elsewhere: then only its length is compared. */
function comparable({ wholeResult: _whole, ...data }: Completed, recorded: Completed): Partial<Completed> {
  if (recorded.error?.message.startsWith(UNAWAITED_THEN) === true && data.error !== undefined)
    return comparable(
      { ...data, error: { ...data.error, message: UNAWAITED_THEN } },
      { ...recorded, error: { ...recorded.error, message: "" } },
    );
  const { result: _result, cut, ...rest } = data;
  if (recorded.cut === undefined || !JSON.stringify(recorded.result).includes(REDACTED)) return data;
  return cut === undefined ? rest : { ...rest, cut: { chars: cut.chars } };
}

/** How a program ended, as `cellEnd` takes it. */
export interface EndOfProgram {
  readonly failure: { readonly code: string; readonly message: string; readonly line?: number } | undefined;
  readonly resultJson: string | undefined;
}

/** The lines of tools stand after the program's own lines, and are kept nowhere else. */
function compareLogs(cell: CellEvents, came: readonly string[]): Difference | undefined {
  const recorded = cell.completed?.data.logs ?? [];
  const own = cell.settled.length === 0 ? recorded : recorded.slice(0, came.length);
  return firstDifference("its log", own, came);
}

function describe({ toolPath, input }: RecordedCall): string {
  return `${toolPath} ${show(input)}`;
}
