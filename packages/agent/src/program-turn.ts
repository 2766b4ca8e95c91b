import type { Redactor } from "@deputy/policy";
import type { EventLog } from "@deputy/protocol";
import type { CellReport } from "./cell-report.ts";
import type { CellRunner } from "./cell-runner.ts";
import { recordTurn, type TurnFailure } from "./turn-record.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

/** A turn without a model: the user's own program, run as a cell of a session like any other. */
export async function runProgramTurn(
  deps: { readonly log: EventLog; readonly cells: CellRunner; readonly redactor: Redactor },
  program: { readonly code: string; readonly language: "typescript" | "javascript" },
  turn: Turn,
  signal: AbortSignal,
): Promise<{ readonly outcome: TurnOutcome; readonly report: CellReport | undefined }> {
  let report: CellReport | undefined;
  const outcome = await recordTurn(deps, { ...turn, model: "none" }, signal, async () => {
    report = await deps.cells.run({ ...turn, ...program, attempt: 1 }, signal);
    return report.kind === "completed" ? undefined : describeFailure(report);
  });
  return { outcome, report };
}

function describeFailure(report: Exclude<CellReport, { kind: "completed" }>): TurnFailure {
  if (report.kind === "rejected") {
    const [first] = report.diagnostics;
    const more = report.diagnostics.length - 1;
    const where = first === undefined ? "" : `line ${first.line}: ${first.message}`;
    const rest = more > 0 ? ` (and ${more} more)` : "";
    return { code: "typecheck_failed", message: `It does not typecheck; nothing ran. ${where}${rest}` };
  }
  const { code, message, line } = report.failure;
  return { code, message: line === undefined ? message : `line ${line}: ${message}` };
}
