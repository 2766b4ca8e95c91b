import type { CellFailure, CellLimits, Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import { type Clock, CodedError, type IdSource, span } from "@deputy/kit";
import type { Redactor } from "@deputy/policy";
import type { EventLog, NewEvent, Sha256 } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "./agent-error.ts";
import { completedEvent } from "./cell-record.ts";
import type { CellReport, CellRequest, Ran } from "./cell-report.ts";
import type { Gate } from "./gate.ts";
import { runProgram } from "./run-program.ts";

/** Takes a program from text to receipts: submitted, checked, run in the sandbox, every call through the gate. */
export interface CellRunner {
  /**
   * Nothing a program does makes it reject, but `program_too_large` and a failing log do. An abort ends
   * the cell as `failed` with `aborted`.
   */
  run(request: CellRequest, signal: AbortSignal): Promise<CellReport>;
}

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
}

/** Far beyond what anybody writes for one cell; larger ones would strain checker, log and model alike. */
const LARGEST_PROGRAM_CHARS = 256 * 1024;

export function createCellRunner(deps: CellRunnerDeps): CellRunner {
  const { log } = deps;

  const run = async (request: CellRequest, signal: AbortSignal): Promise<CellReport> => {
    const { stream, turnId, code, language, providerCallId } = request;
    if (code.length > LARGEST_PROGRAM_CHARS) {
      throw new AgentError(
        "program_too_large",
        `A program may have ${LARGEST_PROGRAM_CHARS} characters; this one has ${code.length}.`,
      );
    }
    const cellId = deps.ids.next("cell");
    const programHash = deps.sha256(code);
    const carrier = providerCallId === undefined ? {} : { providerCallId };
    const submitted: NewEvent = {
      type: "cell.submitted",
      turnId,
      data: { cellId, language, code: deps.redactor.text(code), sha256: programHash, ...carrier },
    };
    await log.append(stream, [submitted], { durability: "relaxed" });

    const finish = async (failure: CellFailure | Failure | undefined, ran: Ran): Promise<CellReport> => {
      await log.append(stream, [completedEvent(request, cellId, failure, ran, deps.redactor)]);
      const { logs, receipts, resultJson } = ran;
      if (failure === undefined) return { kind: "completed", cellId, resultJson, logs, receipts };
      return { kind: "failed", cellId, failure, logs, receipts };
    };

    let script = code;
    if (language === "typescript") {
      try {
        const diagnostics = await deps.checker.check(
          { code, declarations: deps.catalogue.declarations() },
          signal,
        );
        const data = { cellId, diagnostics: [...diagnostics], attempt: request.attempt };
        await log.append(stream, [{ type: "cell.checked", turnId, data }], { durability: "relaxed" });
        if (diagnostics.length > 0) return { kind: "rejected", cellId, diagnostics };
        script = deps.stripper.strip(code);
      } catch (error) {
        if (signal.aborted)
          return await finish({ code: "aborted", message: "Stopped before it ran." }, NOTHING_RAN);
        if (!(error instanceof CodedError)) throw error;
        return await finish({ code: String(error.code), message: error.message }, NOTHING_RAN);
      }
    }
    const ran = await runProgram(deps, { ...request, cellId, script, programHash }, signal);
    return await finish(ran.failure, ran);
  };

  return { run: (request, signal) => span("cell.run", {}, () => run(request, signal)) };
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

const NOTHING_RAN: Ran = { resultJson: undefined, logs: [], receipts: [] };
