import type { CellId } from "@deputy/kit";
import type { Redactor } from "@deputy/policy/secrets";
import type { EventLog, Program } from "@deputy/protocol";
import { AgentError } from "./agent-error.ts";
import { readCellJournal } from "./cell-journal.ts";
import type { CellReport } from "./cell-report.ts";
import type { CellRunner } from "./cell-runner.ts";
import { createTurnView, type TurnViewLog } from "./turn-view.ts";
import { recordTurn, type TurnFailure } from "./turn-record.ts";
import { type EndedCell, readTurnState } from "./turn-state.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

export interface ProgramTurnDeps {
  readonly log: EventLog;
  readonly cells: CellRunner;
  readonly redactor: Redactor;
}

/** A turn without a model of ours: a program as the task, run as a cell of a session like any other. Ends as `TurnRunner.run` does. */
export async function runProgramTurn(
  deps: Omit<ProgramTurnDeps, "log"> & { readonly log: Pick<EventLog, "append"> & TurnViewLog },
  program: Pick<Program, "code" | "language" | "writtenBy"> & { readonly cellId?: CellId },
  turn: Turn,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  return await recordTurn(deps, { ...turn, model: "none" }, signal, async () => {
    const report = await deps.cells.run({ ...turn, ...program, attempt: 1 }, signal);
    return report.kind === "completed" ? undefined : describeFailure(report);
  });
}

/** Goes on with such a turn where an earlier process left it. The program is in the journal of its cell. */
export async function resumeProgramTurn(
  deps: ProgramTurnDeps,
  program: Pick<Program, "language" | "writtenBy"> & { readonly cellId: CellId },
  turn: Turn,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const state = readTurnState(await createTurnView(deps.log, turn, "turn").current(), turn);
  const { isStarted, ended } = state;
  const [cell] = state.openCells;
  return await recordTurn(deps, { ...turn, isStarted, model: "none" }, signal, async () => {
    if (ended !== undefined) return describeEnded(ended);
    const report =
      cell === undefined
        ? await deps.cells.run(
            { ...turn, ...program, code: await codeOf(deps.log, program.cellId), attempt: 1 },
            signal,
          )
        : await deps.cells.resume({ ...turn, ...cell }, signal);
    return report.kind === "completed" ? undefined : describeFailure(report);
  });
}

async function codeOf(log: EventLog, cellId: CellId): Promise<string> {
  const { program } = await readCellJournal(log.journal.read(cellId));
  if (program === undefined)
    throw new AgentError("program_lost", "The program is no longer in the journal; nothing ran.");
  return program.code;
}

function describeEnded(ended: EndedCell): TurnFailure | undefined {
  if (ended.kind === "rejected") return rejection(ended.diagnostics);
  return ended.error === undefined ? undefined : failureAt(ended.error);
}

function describeFailure(report: Exclude<CellReport, { kind: "completed" }>): TurnFailure {
  return report.kind === "rejected" ? rejection(report.diagnostics) : failureAt(report.failure);
}

function rejection(diagnostics: readonly { readonly line: number; readonly message: string }[]): TurnFailure {
  const [first] = diagnostics;
  const more = diagnostics.length - 1;
  // What comes after the first line points into the program, which its reader has before them.
  const where = first === undefined ? "" : `line ${first.line}: ${first.message.split("\n", 1).join("")}`;
  const rest = more > 0 ? ` (and ${more} more)` : "";
  return { code: "typecheck_failed", message: `It does not typecheck; nothing ran. ${where}${rest}` };
}

function failureAt(failure: {
  readonly code: string;
  readonly message: string;
  readonly line?: number | undefined;
}): TurnFailure {
  const { code, message, line } = failure;
  return { code, message: line === undefined ? message : `line ${line}: ${message}` };
}
