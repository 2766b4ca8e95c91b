import type { Call, Cell, Moment } from "./transcript-rows.ts";

/** A program as it was at one of its moments. */
export interface RunStep {
  readonly number: number;
  /** The last one there is. */
  readonly last: number;
  /** The program as far as it had come: later calls are not there yet. */
  readonly cell: Cell;
  /** What happened last; absent at the beginning and at the end. */
  readonly moment?: Moment;
  readonly call?: Call;
}

/** How many moments a program has: its beginning, one for each decision and each end of a call, and its own end. */
export function lastStep({ moments, endedAt }: Cell): number {
  return moments.length + (endedAt === undefined ? 0 : 1);
}

/** Absent step: as it is now. */
export function stepOf(cell: Cell, step: number | undefined): RunStep {
  const last = lastStep(cell);
  const number = Math.min(step ?? last, last);
  const isEnd = number > cell.moments.length;
  const { result: _result, error: _error, endedAt: _endedAt, ...begun } = cell;
  const passed = cell.moments.slice(0, number);
  const moment = isEnd ? undefined : passed.at(-1);
  const call = moment && cell.calls.find(({ id }) => id === moment.callId);
  return {
    number,
    last,
    cell: isEnd ? cell : { ...begun, logs: [], calls: callsAt(cell, passed, step === undefined) },
    ...(moment !== undefined && { moment }),
    ...(call !== undefined && { call }),
  };
}

function callsAt({ calls }: Cell, passed: readonly Moment[], isNow: boolean): readonly Call[] {
  // What goes on now is shown as it is, with what runs and how far it is.
  if (isNow) return calls;
  return calls.flatMap((call): readonly Call[] => {
    const own = passed.filter(({ callId }) => callId === call.id);
    if (own.some(({ what }) => what === "settled")) return [call];
    if (own.length === 0) return [];
    const { preview: _preview, error: _error, durationMs: _durationMs, ...decided } = call;
    return [{ ...decided, status: "decided", attachments: [] }];
  });
}
