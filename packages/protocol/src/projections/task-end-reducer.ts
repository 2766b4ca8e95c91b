import type { CallId, CellId } from "@deputy/kit";
import { type CanonicalEvent, type EventData, readEvent, type StoredEvent } from "../canonical-event.ts";
import type { Failure } from "../events/shared.ts";
import type { TaskEnd, TaskReceipt } from "../wire/task-end.ts";

/** Folds a task's events into its result. */
export interface TaskEndReducer {
  apply(event: StoredEvent): void;
  /**
   * Undefined until the task is completed. `resultIn` names the cell whose journal has the program's
   * result whole, when the log has not.
   */
  end(): { readonly end: TaskEnd; readonly resultIn: CellId | undefined } | undefined;
}

export function createTaskEndReducer(): TaskEndReducer {
  const calls = new Map<CallId, Call>();
  let message: string | undefined;
  let failure: Failure | undefined;
  let program: UserProgram | undefined;
  let isCompleted = false;

  const apply = (event: CanonicalEvent): void => {
    switch (event.type) {
      case "assistant.message":
        message = event.data.text;
        break;
      case "turn.failed":
        failure = { code: event.data.code, message: event.data.message };
        break;
      case "turn.aborted":
        failure = { code: "aborted", message: `Stopped by ${event.data.by}` };
        break;
      case "task.completed":
        isCompleted = true;
        break;
      case "cell.submitted":
        if (event.data.providerCallId === undefined) program = { cellId: event.data.cellId };
        break;
      case "cell.checked":
        if (event.data.cellId === program?.cellId) program.checked = event.data;
        break;
      case "cell.completed":
        if (event.data.cellId === program?.cellId) program.completed = event.data;
        break;
      case "call.requested":
        calls.set(event.data.callId, { requested: event.data });
        break;
      case "call.settled": {
        const call = calls.get(event.data.callId);
        if (call !== undefined) call.settled = event.data;
        break;
      }
      default:
    }
  };

  return {
    apply(stored) {
      const read = readEvent(stored);
      if (read.kind === "known") apply(read.event);
    },
    end() {
      if (!isCompleted) return undefined;
      // The cell's own words have the line; those of the turn are for who sees only them.
      const error = program?.completed?.error ?? failure;
      const end: TaskEnd = {
        ...(message === undefined ? {} : { message }),
        ...(error === undefined ? {} : { error }),
        ...(program === undefined ? {} : describeProgram(program, [...calls.values()])),
      };
      const resultIn = program?.completed?.wholeResult === "journal" ? program.cellId : undefined;
      return { end, resultIn };
    },
  };
}

interface Call {
  readonly requested: EventData<"call.requested">;
  settled?: EventData<"call.settled">;
}

interface UserProgram {
  readonly cellId: CellId;
  checked?: EventData<"cell.checked">;
  completed?: EventData<"cell.completed">;
}

function describeProgram({ checked, completed }: UserProgram, calls: readonly Call[]): TaskEnd {
  const { result, logs = [], operations = [] } = completed ?? {};
  const inOrder = calls.toSorted((a, b) => a.requested.index - b.requested.index);
  // One operation per call, in the same order; of a cell that was interrupted there are none.
  const results = operations.length === inOrder.length ? operations.map((one) => one.result) : [];
  return {
    ...(result === undefined ? {} : { result }),
    diagnostics: checked?.diagnostics ?? [],
    logs,
    receipts: inOrder.flatMap((call, i) => receiptOf(call, results[i])),
  };
}

function receiptOf({ requested, settled }: Call, result: unknown): readonly TaskReceipt[] {
  if (settled === undefined) return [];
  const { callId, toolPath, status, durationMs, error } = settled;
  return [
    {
      callId,
      toolPath,
      status,
      durationMs,
      input: requested.input,
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
    },
  ];
}
