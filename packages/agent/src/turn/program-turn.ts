import type { CellId } from "@deputy/kit";
import type { Journal, Program } from "@deputy/protocol";
import { AgentError } from "../agent-error.ts";
import { readCellJournal } from "../cell/cell-journal.ts";
import type { CellReport } from "../cell/cell-report.ts";
import type { CellRunner } from "../cell/cell-runner.ts";
import type { HeldTurn, TurnFailure, TurnKeeper, TurnLog } from "../keeper/turn-keeper.ts";
import { type EndedCell, readTurnState } from "./turn-state.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

export interface ProgramTurnDeps {
  readonly keeper: TurnKeeper<TurnLog>;
  readonly cells: CellRunner;
  /** The program is read from here when it is not passed in. */
  readonly journal: Pick<Journal, "read">;
}

/** Its code may be left out once its cell has begun, or where the journal has it. */
export type TurnProgram = Pick<Program, "language" | "writtenBy"> &
  (
    | { readonly code: string; readonly cellId?: CellId }
    | { readonly code?: undefined; readonly cellId: CellId }
  );

/**
 * A turn that asks no model: the task is a program, which runs as a cell of an ordinary session. Begins the turn, or
 * continues it where it was left. Resolves and rejects as `TurnKeeper.run` does.
 */
export async function runProgramTurn(
  deps: ProgramTurnDeps,
  program: TurnProgram,
  turn: Turn,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const goOn = async ({ view }: HeldTurn, until: AbortSignal): Promise<CellReport> => {
    const { openCells } = readTurnState(await view.current(), turn);
    const [cell] = openCells;
    if (cell !== undefined) return await deps.cells.resume({ ...turn, ...cell }, until);
    const code = program.code ?? (await codeOf(deps.journal, program.cellId));
    return await deps.cells.run({ ...turn, ...program, code, attempt: 1 }, until);
  };
  return await deps.keeper.run(
    turn,
    async (held, until) => {
      await held.begin("none");
      const { ended } = readTurnState(await held.view.current(), turn);
      if (ended !== undefined) return { failure: describeEnded(ended) };
      const report = await goOn(held, until);
      return { failure: report.kind === "completed" ? undefined : describeFailure(report) };
    },
    signal,
  );
}

async function codeOf(journal: Pick<Journal, "read">, cellId: CellId): Promise<string> {
  const { program } = await readCellJournal(journal.read(cellId));
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
  // The lines after the first point into the program, which the reader has at hand.
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
