import type {
  BridgeCall,
  CellFailureCode,
  CellLimits,
  Sandbox,
  TypeChecker,
  TypeStripper,
} from "@deputy/codemode";
import { CodedError } from "@deputy/kit";
import type { Diagnostic, Sha256 } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { canonicalJson } from "@deputy/policy/canonical-json";
import { giveLastValue } from "../cell/cell-runner.ts";
import { scriptGlobalsThen, withScriptGlobals } from "../cell/script-globals.ts";
import { compareCalls, compareEnd, type EndOfProgram } from "./compare-cell.ts";
import { compareRecords, findUntold } from "./compare-records.ts";
import { callsOf, type CellTold, type RecordedCall, type RecordedCell } from "./recorded-cell.ts";
import type { ReplayOutcome } from "./replay-report.ts";
import { retellProgram } from "./retell-program.ts";
import { inputHashOf, readInput } from "../gate/read-input.ts";

/** How a program names a tool, nearly always. */
const NAMED = /\btools((?:\s*\??\.\s*[A-Za-z_$][\w$]*)+)/g;

export interface CellReplayDeps {
  readonly sandbox: Sandbox;
  readonly stripper: TypeStripper;
  readonly limits: CellLimits;
  readonly sha256: Sha256;
  /** Today's tools. None is ever run. */
  readonly catalogue: Catalogue;
  /** Paths of tools that the session called. */
  readonly called: ReadonlySet<string>;
}

/** Ends of the host's making, not the program's. */
const OF_THE_HOST: ReadonlySet<string> = new Set<CellFailureCode | "interrupted">([
  "aborted",
  "image_unusable",
  "interrupted",
  "sandbox_crashed",
  "time_limit",
]);

/** Runs a cell again from its record, and compares. Rejects with the signal's reason only. */
export async function replayCell(
  deps: CellReplayDeps,
  cell: RecordedCell,
  signal: AbortSignal,
): Promise<ReplayOutcome> {
  const { journal: told, checked, completed, submitted } = cell;
  const { cellId, language } = submitted.data;
  const error = completed?.data.error;
  if (told.kind === "lost") return { kind: "not_replayable", why: told.why };
  if ((checked?.data.diagnostics.length ?? 0) > 0) return { kind: "agrees" };
  if (language === "typescript" && checked === undefined)
    return { kind: "agrees", until: `it was not run${error === undefined ? "" : ` (${error.code})`}` };
  if (error?.code === "diverged")
    return { kind: "not_replayable", why: "it had diverged from its own record when it was continued" };

  const until = cutOff(cell);
  const inRecords = compareRecords(cell, told);
  if (inRecords !== undefined) return { kind: "diverged", divergence: inRecords };
  const untold = until === undefined ? findUntold(cell, told) : undefined;
  if (untold !== undefined) return { kind: "not_replayable", why: untold };

  const stripped = strip(deps.stripper, language, programOf(cell, told));
  if (typeof stripped !== "string") return compared(cell, told, { ...stripped, logs: [] });
  const script = told.program.lastValue === true ? await giveLastValue(stripped) : stripped;
  const recorded = callsOf(cell, told);
  const isSame = (expected: RecordedCall, call: BridgeCall): Promise<boolean> =>
    isSameCall(deps, expected, call);
  const { maxCalls = deps.limits.maxCalls } = told.program;
  const retold = await retellProgram(
    { ...deps, limits: { ...deps.limits, maxCalls } },
    { cellId, script, told, indexes: recorded.keys(), toolPaths: toolPathsOf(cell, knownPaths(deps)) },
    (call) => isSameAs(recorded.get(call.id - 1), call, isSame),
    signal,
  );
  const { outcome } = retold;
  // If this machine could not run the program to its end, that says nothing about the record.
  if (outcome?.kind === "failed" && OF_THE_HOST.has(outcome.failure.code) && until === undefined)
    return { kind: "not_replayable", why: `here it was stopped: ${outcome.failure.message}` };
  const divergence = await compareCalls(cell, told, retold, isSame, { isWhole: until === undefined });
  if (divergence !== undefined) return { kind: "diverged", divergence };
  if (until !== undefined) return { kind: "agrees", until };
  if (outcome === undefined) throw new Error("A program that waits has made a call too many");
  return outcome.kind === "failed"
    ? compared(cell, told, { failure: outcome.failure, resultJson: undefined, logs: outcome.logs })
    : compared(cell, told, { failure: undefined, resultJson: outcome.resultJson, logs: outcome.logs });
}

/**
 * The check of the program against today's tools, when it differs from the recorded one. Rejects as the checker does.
 */
export async function checkAgain(
  deps: { readonly checker: TypeChecker; readonly catalogue: Catalogue },
  cell: RecordedCell,
  signal: AbortSignal,
): Promise<readonly Diagnostic[] | undefined> {
  const { journal: told, checked, submitted } = cell;
  if (told.kind === "lost" || submitted.data.language !== "typescript" || checked === undefined)
    return undefined;
  const declarations = deps.catalogue.declarations();
  const found = await deps.checker.check({ code: programOf(cell, told), declarations }, signal);
  const wasRejected = checked.data.diagnostics.length > 0;
  return wasRejected === found.length > 0 ? undefined : found;
}

/** Why the cell never came to an end of its own. */
function cutOff({ completed }: RecordedCell): string | undefined {
  if (completed === undefined) return "it has not ended";
  const { error } = completed.data;
  return error !== undefined && OF_THE_HOST.has(error.code) ? `it was stopped (${error.code})` : undefined;
}

function compared(
  cell: RecordedCell,
  told: CellTold,
  end: EndOfProgram & { readonly logs: readonly string[] },
): ReplayOutcome {
  const difference = compareEnd(cell, told, end);
  if (difference === undefined) return { kind: "agrees" };
  return { kind: "diverged", divergence: { seq: cell.completed?.seq ?? cell.submitted.seq, ...difference } };
}

async function isSameAs(
  recorded: RecordedCall | undefined,
  call: BridgeCall,
  isSame: (recorded: RecordedCall, call: BridgeCall) => Promise<boolean>,
): Promise<boolean> {
  return recorded !== undefined && (await isSame(recorded, call));
}

/** The program as it ran. Additional names in `tools` do not change what it does. */
function programOf({ submitted, requested }: RecordedCell, { program }: CellTold): string {
  if (submitted.data.isScript !== true) return program.code;
  const called = requested.map(({ data }) => data.toolPath);
  return withScriptGlobals(program.code, scriptGlobalsThen(called));
}

function strip(stripper: TypeStripper, language: string, code: string): string | EndOfProgram {
  if (language === "javascript") return code;
  try {
    return stripper.strip(code);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { failure: { code: String(error.code), message: error.message }, resultJson: undefined };
  }
}

function knownPaths({ catalogue, called }: CellReplayDeps): ReadonlySet<string> {
  return new Set([...catalogue.list().map(({ path }) => path), ...called]);
}

/**
 * Does the program make the recorded call? If the call never settled, only the input after the tool's schema is
 * recorded. Then today's schema must give the same input; or, since the schema may have changed or be gone, the
 * recorded input must contain everything the program says.
 */
async function isSameCall(
  deps: { readonly catalogue: Catalogue; readonly sha256: Sha256 },
  recorded: RecordedCall,
  call: BridgeCall,
): Promise<boolean> {
  if (recorded.calledAs !== call.path) return false;
  if (recorded.askedJson !== undefined) return recorded.askedJson === call.inputJson;
  const input = await readInput(deps.catalogue.get(recorded.toolPath), call.inputJson);
  if (inputHashOf(deps.sha256, input) === recorded.inputHash) return true;
  return holdsJson(recorded.input, (await readInput(undefined, call.inputJson)).json);
}

function holdsJson(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null)
    return canonicalJson(whole) === canonicalJson(part);
  if (Array.isArray(part) !== Array.isArray(whole)) return false;
  if (Array.isArray(part) && part.length !== (whole as readonly unknown[]).length) return false;
  return Object.entries(part).every(
    ([name, member]) =>
      Object.hasOwn(whole, name) && holdsJson((whole as Record<string, unknown>)[name], member),
  );
}

/**
 * The paths that the program may have found in `tools`, which are not recorded: today's tools, those that the session
 * called, and those named by a program that passed its type check.
 */
function toolPathsOf(cell: RecordedCell, known: ReadonlySet<string>): readonly string[] {
  if (cell.journal.kind === "lost" || cell.checked === undefined) return [...known];
  const named = [...cell.journal.program.code.matchAll(NAMED)].map(([, path = ""]) =>
    path.replaceAll(/[\s?]/g, "").slice(1),
  );
  const isNew = (path: string): boolean =>
    ![...known].some((other) => other.startsWith(`${path}.`) || path.startsWith(`${other}.`));
  return [...new Set([...known, ...named.filter(isNew)])];
}
