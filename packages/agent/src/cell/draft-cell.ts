import type { CellId, Clock, IdSource } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import { type JournalEntry, type NewEvent, type Sha256, LARGEST_PROGRAM_CHARS } from "@deputy/protocol";
import { programEntry } from "./cell-journal.ts";
import type { CellRequest } from "./cell-report.ts";
import { AgentError } from "../agent-error.ts";

/** A cell that is not in the log yet, and what begins it there. */
export interface CellDraft {
  readonly cell: CellRequest & {
    readonly cellId: CellId;
    readonly startedAtMs: number;
    readonly lastValue: true;
  };
  readonly event: NewEvent & { readonly type: "cell.submitted" };
  /** Written together with it: the end of a cell that was refused. */
  readonly end: readonly NewEvent[];
  readonly journal: JournalEntry;
}

/** The code of the one diagnostic of a cell that was refused. */
export const NOT_RUN = "not_run";

/** Throws `program_too_large`. */
export function draftCell(
  deps: {
    readonly redactor: Redactor;
    readonly clock: Clock;
    readonly ids: IdSource;
    readonly sha256: Sha256;
  },
  request: CellRequest,
): CellDraft {
  const { turnId, code, language, providerCallId, call, isScript, apart, unclosed, writtenBy } = request;
  const { refusal } = request;
  assertProgramSize(code);
  const cellId = request.cellId ?? deps.ids.next("cell");
  const startedAtMs = deps.clock.now();
  return {
    cell: { ...request, cellId, startedAtMs, lastValue: true },
    event: {
      type: "cell.submitted",
      turnId,
      data: {
        cellId,
        language,
        code: deps.redactor.text(code),
        sha256: deps.sha256(code),
        ...(providerCallId === undefined ? {} : { providerCallId }),
        ...(call === undefined ? {} : { call: { name: call.name, input: deps.redactor.json(call.input) } }),
        ...(isScript === true ? { isScript } : {}),
        ...(apart === true ? { apart } : {}),
        ...(unclosed === true ? { unclosed } : {}),
        ...(writtenBy === undefined ? {} : { writtenBy }),
      },
    },
    end: refusal === undefined ? [] : [refusedEvent(request, cellId, deps.redactor.text(refusal))],
    journal: programEntry(cellId, { code, startedAtMs, maxCalls: request.maxCalls, lastValue: true }),
  };
}

function refusedEvent({ turnId, attempt, call }: CellRequest, cellId: CellId, message: string): NewEvent {
  const diagnostics = [{ line: 1, column: 1, code: NOT_RUN, message }];
  return { type: "cell.checked", turnId, data: { cellId, diagnostics, attempt, ...asCall(call) } };
}

/** Marks the events of a cell that is a single call. */
export function asCall(call: CellRequest["call"]): { readonly asCall?: true } {
  return call === undefined ? {} : { asCall: true };
}

/** Seeds a cell's randomness: the same in every process that runs it. */
export function seedOf(sha256: Sha256, cellId: CellId): number {
  return Number.parseInt(sha256(cellId).slice(0, 8), 16);
}

/** Throws `program_too_large`. */
export function assertProgramSize(code: string): void {
  if (code.length <= LARGEST_PROGRAM_CHARS) return;
  throw new AgentError(
    "program_too_large",
    `A program may have ${LARGEST_PROGRAM_CHARS} characters; this one has ${code.length}.`,
  );
}
