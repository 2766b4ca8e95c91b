import type { CellFailure, CellLimits, Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import { type CellId, type Clock, CodedError, type IdSource, span } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import type { Diagnostic, EventLog, Sha256 } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "../agent-error.ts";
import { cellEnd } from "./cell-record.ts";
import type { CellReport, CellRequest, Ran } from "./cell-report.ts";
import { asCall, type CellDraft, draftCell } from "./draft-cell.ts";
import type { Gate } from "../gate/gate.ts";
import type { Receipt } from "../gate/receipt.ts";
import { calledBefore, type OpenCell, readOpenCell } from "./open-cell.ts";
import { runProgram, toReceipt } from "./run-program.ts";
import { scriptGlobalsOf, withScriptGlobals } from "./script-globals.ts";
import { quotedByCheck } from "../ingress/tool-author.ts";
import { createSessionOrigins } from "../origins/session-origins.ts";
import { throwIfSuspended } from "../turn/stop-request.ts";

/** Takes a program from text to receipts: submitted, checked, run in the sandbox, every call through the gate. */
export interface CellRunner {
  /**
   * Rejects with `program_too_large`, a `SuspendRequest`, or when the log fails, and never because of what the
   * program does. Any other abort ends the cell as `failed` with `aborted`.
   */
  run(request: CellRequest, signal: AbortSignal): Promise<CellReport>;
  /**
   * The events that `run` writes first. A caller can write them together with its own and then call `proceed`. Throws
   * `program_too_large`.
   */
  draft(request: CellRequest): CellDraft;
  /** The rest of `run`, once the draft is in the log. */
  proceed(draft: CellDraft, signal: AbortSignal): Promise<CellReport>;
  /**
   * Goes on with a cell that an earlier process submitted and did not end; the rest is as with `run`.
   * Rejects with `program_lost` when the journal no longer has it.
   */
  resume(cell: ResumedCell, signal: AbortSignal): Promise<CellReport>;
}

/** All of a request that the log knows; the code is in the journal. */
export type ResumedCell = Omit<CellRequest, "code"> & { readonly cellId: CellId };

export interface CellRunnerDeps {
  readonly log: EventLog;
  readonly catalogue: Catalogue;
  readonly checker: TypeChecker;
  readonly stripper: TypeStripper;
  readonly sandbox: Sandbox;
  readonly gate: Gate;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sha256: Sha256;
  readonly limits: CellLimits;
  /** Gathers a program's questions into plans. Default `on`. */
  readonly plans?: "on" | "off";
}

/** A cell on its way. */
interface Submitted extends CellRequest {
  readonly cellId: CellId;
  readonly startedAtMs: number;
  readonly lastValue?: true | undefined;
  readonly open?: OpenCell;
}

export function createCellRunner(deps: CellRunnerDeps): CellRunner {
  const { log } = deps;
  const origins = createSessionOrigins(log);

  const submit = async (request: CellRequest): Promise<Submitted> => {
    const { cell, event, end, journal } = draftCell(deps, request);
    await log.append(request.stream, [event, ...end], { durability: "relaxed", journal: [journal] });
    return cell;
  };

  const reopen = async (cell: ResumedCell): Promise<Submitted> => {
    const { stream, turnId, cellId } = cell;
    const open = await readOpenCell(log, stream, cellId);
    const { program } = open.journal;
    if (program === undefined) {
      throw new AgentError(
        "program_lost",
        "The program is no longer in the journal; nothing of it was repeated.",
      );
    }
    const checkpoint = open.journal.image === undefined ? {} : { checkpoint: "journal" };
    const data = { cellId, why: "after a restart", ...checkpoint };
    await log.append(stream, [{ type: "cell.resumed", turnId, data }], { durability: "relaxed" });
    return { ...cell, ...program, open };
  };

  const proceed = async (cell: Submitted, signal: AbortSignal): Promise<CellReport> => {
    const { stream, cellId, code, language, refusal } = cell;
    if (refusal !== undefined) return { kind: "rejected", cellId, diagnostics: [] };
    const finish = async (failure: CellFailure | Failure | undefined, ran: Ran): Promise<CellReport> => {
      throwIfSuspended(signal);
      const receipts = await allReceipts(cell, ran.receipts);
      const { event, journal } = cellEnd(cell, cellId, failure, { ...ran, receipts }, deps.redactor);
      await log.append(stream, [event], { journal });
      const { logs, resultJson } = ran;
      if (failure === undefined) return { kind: "completed", cellId, resultJson, logs, receipts };
      return { kind: "failed", cellId, failure, logs, receipts };
    };

    const globals = cell.isScript === true ? scriptGlobalsOf(deps.catalogue, calledBefore(cell.open)) : [];
    const program = withScriptGlobals(code, globals);
    let script = program;
    if (language === "typescript") {
      try {
        const diagnostics = cell.open?.isChecked === true ? [] : await check(cell, program, signal);
        if (diagnostics.length > 0) return { kind: "rejected", cellId, diagnostics };
        script = deps.stripper.strip(program);
      } catch (error) {
        throwIfSuspended(signal);
        if (signal.aborted)
          return await finish({ code: "aborted", message: "Stopped before it ran." }, NOTHING_RAN);
        if (!(error instanceof CodedError)) throw error;
        return await finish({ code: String(error.code), message: error.message }, NOTHING_RAN);
      }
    }
    if (cell.lastValue === true) script = await giveLastValue(script);
    const ran = await runProgram(
      { ...deps, origins },
      { ...cell, script, programHash: deps.sha256(code) },
      signal,
    );
    return await finish(ran.failure, ran);
  };

  /**
   * Those of the calls that an earlier process made, too. A program that goes on may end before it comes back to what was
   * in flight when that process died: whoever is told how it ended must know that this may have happened.
   */
  const allReceipts = async (cell: Submitted, made: readonly Receipt[]): Promise<readonly Receipt[]> => {
    const { stream, turnId, cellId, open } = cell;
    if (open === undefined) return made;
    const { settled } = open.journal;
    const all = new Map(settled.map((entry, order) => [entry.callId, toReceipt(entry, order)]));
    for (const receipt of made) all.set(receipt.callId, receipt);
    for (const [index, prior] of open.prior) {
      if (all.has(prior.callId)) continue;
      const place = { stream, turnId, cellId, index, toolPath: prior.toolPath, nextOrder: () => all.size };
      all.set(prior.callId, await deps.gate.leave(place, prior));
    }
    const indexOf = new Map([
      ...settled.map(({ callId, index }) => [callId, index] as const),
      ...[...open.prior].map(([index, { callId }]) => [callId, index] as const),
    ]);
    // New calls come after all of the earlier process's, in the order in which they were made.
    const rank = ({ callId }: Receipt): number => indexOf.get(callId) ?? Number.MAX_SAFE_INTEGER;
    return [...all.values()].toSorted((a, b) => rank(a) - rank(b));
  };

  const check = async (
    cell: Submitted,
    code: string,
    signal: AbortSignal,
  ): Promise<readonly Diagnostic[]> => {
    const { stream, turnId, cellId, attempt, providerCallId } = cell;
    const declarations = deps.catalogue.declarations();
    const found = await deps.checker.check({ code, declarations }, signal);
    const diagnostics = found.length > 0 ? found : await lostCalls(deps.stripper, code);
    const author = providerCallId === undefined ? { author: "user" as const } : {};
    const quotes = diagnostics.length === 0 ? [] : quotedByCheck(code, deps.catalogue);
    const data = {
      cellId,
      diagnostics: deps.redactor.json([...diagnostics]),
      quotes: [...quotes],
      attempt,
      ...asCall(cell.call),
      ...author,
    };
    await log.append(stream, [{ type: "cell.checked", turnId, data }], { durability: "relaxed" });
    return diagnostics;
  };

  return {
    run: (request, signal) => span("cell.run", {}, async () => proceed(await submit(request), signal)),
    draft: (request) => draftCell(deps, request),
    proceed: ({ cell }, signal) => span("cell.run", {}, () => proceed(cell, signal)),
    resume: (cell, signal) => span("cell.resume", {}, async () => proceed(await reopen(cell), signal)),
  };
}

/** What parses programs is loaded with the first one. */
export async function giveLastValue(script: string): Promise<string> {
  const { withLastValue } = await import("@deputy/codemode/last-value");
  return withLastValue(script);
}

/** Calls that would never run, told before anything does. */
async function lostCalls(stripper: TypeStripper, code: string): Promise<readonly Diagnostic[]> {
  if (!code.includes("tools")) return [];
  const { findLostCalls } = await import("@deputy/codemode/last-value");
  let script: string;
  try {
    script = stripper.strip(code);
  } catch (error) {
    // Its errors are reported when it is about to run.
    if (error instanceof CodedError) return [];
    throw error;
  }
  return findLostCalls(script).map(({ line, column }) => ({
    line,
    column,
    code: "not_awaited",
    message: NOT_AWAITED,
  }));
}

const NOT_AWAITED = "Nothing awaits this call, so it would not run: write await before it.";

interface Failure {
  readonly code: string;
  readonly message: string;
}

const NOTHING_RAN: Ran = { resultJson: undefined, logs: [], receipts: [] };
