import type { Clock, IdSource } from "@deputy/kit";
import { createValueRedactor } from "@deputy/secrets";
import type { Sha256 } from "@deputy/protocol";
import type { CellReport, CellRequest } from "../cell/cell-report.ts";
import type { CellRunner } from "../cell/cell-runner.ts";
import { type CellDraft, draftCell } from "../cell/draft-cell.ts";
import { firstDifference } from "./divergence.ts";
import { Parted } from "./parted.ts";
import type { RecordedCell } from "./recorded-cell.ts";
import type { RecordedFailure } from "./recorded-failure.ts";
import type { RecordedLog } from "./recorded-log.ts";
import type { ReplayOutcome } from "./replay-report.ts";

const raw = createValueRedactor([]);

/**
 * Cells that have run already. Each draft becomes the next cell of the record, with its journalled program, and runs
 * again. The turn always gets the recorded outcome, so that it continues as it did.
 */
export function createRecordedCells(deps: {
  readonly log: RecordedLog;
  readonly cells: readonly RecordedCell[];
  /** The failure that ended the turn, when one of its cells has no end, or the turn has none. */
  readonly failure: RecordedFailure | undefined;
  readonly replay: (cell: RecordedCell) => Promise<ReplayOutcome>;
  readonly onReplayed: (cell: RecordedCell, outcome: ReplayOutcome) => void;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sha256: Sha256;
}): CellRunner {
  let next = 0;

  const draft = (request: CellRequest): CellDraft => {
    const cell = deps.cells[next];
    if (cell === undefined) {
      if (deps.failure !== undefined) throw deps.failure;
      const seq = deps.cells.at(-1)?.submitted.seq ?? 0;
      throw new Parted({ seq, what: "the next cell", expected: "none", came: request.code });
    }
    next += 1;
    const code = cell.journal.kind === "kept" ? cell.journal.program.code : request.code;
    return draftCell({ ...deps, redactor: raw }, { ...request, code, cellId: cell.submitted.data.cellId });
  };

  const proceed = async ({ cell: { cellId, attempt } }: CellDraft): Promise<CellReport> => {
    const cell = deps.cells.find(({ submitted }) => submitted.data.cellId === cellId);
    if (cell === undefined) throw new Error("A draft is of a recorded cell");
    const attempts = compareAttempts(cell, attempt);
    deps.onReplayed(cell, attempts ?? (await deps.replay(cell)));
    if (cell.completed === undefined && !isRejected(cell) && deps.failure !== undefined) throw deps.failure;
    return reportOf(cell);
  };

  return {
    draft,
    proceed,
    async run(request) {
      const drafted = draft(request);
      await deps.log.append(request.stream, [drafted.event]);
      return await proceed(drafted);
    },
    resume: () => Promise.reject(new Error("A cell of the record is not gone on with")),
  };
}

function compareAttempts({ checked }: RecordedCell, attempt: number): ReplayOutcome | undefined {
  if (checked === undefined) return undefined;
  const difference = firstDifference("which attempt it is", checked.data.attempt, attempt);
  return difference && { kind: "diverged", divergence: { seq: checked.seq, ...difference } };
}

function isRejected({ checked }: RecordedCell): boolean {
  return (checked?.data.diagnostics.length ?? 0) > 0;
}

function reportOf(cell: RecordedCell): CellReport {
  const { cellId } = cell.submitted.data;
  if (isRejected(cell))
    return { kind: "rejected", cellId, diagnostics: cell.checked?.data.diagnostics ?? [] };
  const { error, result, logs = [] } = cell.completed?.data ?? {};
  if (cell.completed === undefined) {
    const failure = { code: "interrupted", message: "The record ends here." };
    return { kind: "failed", cellId, failure, logs, receipts: [] };
  }
  if (error !== undefined) {
    const { code, message, line } = error;
    const failure = line === undefined ? { code, message } : { code, message, line };
    return { kind: "failed", cellId, failure, logs, receipts: [] };
  }
  const resultJson = result === undefined ? undefined : JSON.stringify(result);
  return { kind: "completed", cellId, resultJson, logs, receipts: [] };
}
