import type { EventLog } from "@deputy/protocol";
import type { CellReport } from "./cell-report.ts";
import type { CellRunner } from "./cell-runner.ts";
import { stoppedBy } from "./stop-request.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

/** A turn without a model: the user's own program, run as a cell of a session like any other. */
export async function runProgramTurn(
  deps: { readonly log: EventLog; readonly cells: CellRunner },
  program: { readonly code: string; readonly language: "typescript" | "javascript" },
  turn: Turn,
  signal: AbortSignal,
): Promise<{ readonly outcome: TurnOutcome; readonly report: CellReport }> {
  const { stream, turnId, agentId } = turn;
  await deps.log.append(stream, [{ type: "turn.started", turnId, data: { agentId, model: "none" } }]);
  const report = await deps.cells.run({ ...turn, ...program, attempt: 1 }, signal);
  if (signal.aborted) {
    await deps.log.append(stream, [{ type: "turn.aborted", turnId, data: { by: stoppedBy(signal) } }]);
    return { outcome: { kind: "aborted" }, report };
  }
  if (report.kind === "completed") {
    const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
    await deps.log.append(stream, [{ type: "turn.completed", turnId, data: { usage } }]);
    return { outcome: { kind: "completed" }, report };
  }
  const failure = describeFailure(report);
  await deps.log.append(stream, [{ type: "turn.failed", turnId, data: failure }]);
  return { outcome: { kind: "failed", ...failure }, report };
}

function describeFailure(report: Exclude<CellReport, { kind: "completed" }>): {
  readonly code: string;
  readonly message: string;
} {
  if (report.kind === "rejected") {
    const [first] = report.diagnostics;
    const more = report.diagnostics.length - 1;
    const where = first === undefined ? "" : `line ${first.line}: ${first.message}`;
    return {
      code: "typecheck_failed",
      message: `It does not typecheck; nothing ran. ${where}${more > 0 ? ` (and ${more} more)` : ""}`,
    };
  }
  const { code, message, line } = report.failure;
  return { code, message: line === undefined ? message : `line ${line}: ${message}` };
}
