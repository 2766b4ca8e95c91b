import type { BridgeCall, CellRecord } from "@deputy/codemode";
import type { CellId } from "@deputy/kit";
import { type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import { type CellJournal, readCellJournal, settlementOf } from "./cell-journal.ts";
import type { PriorCall, PriorPlanned } from "../gate/prior-call.ts";

/** A cell that an earlier process began and did not end. */
export interface OpenCell {
  readonly journal: CellJournal;
  /** Calls that were made and have not settled, by index. */
  readonly prior: ReadonlyMap<number, PriorCall>;
  /** Calls that the cell's plans have listed and that the cell has not made yet. */
  readonly listed: readonly PriorPlanned[];
  /** True when the program passed the type check. */
  readonly isChecked: boolean;
}

export async function readOpenCell(log: EventLog, stream: StreamId, cellId: CellId): Promise<OpenCell> {
  const { createPriorCalls } = await import("../gate/prior-call.ts");
  const calls = createPriorCalls(cellId);
  let isChecked = false;
  for await (const stored of log.read(stream)) {
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    calls.apply(event);
    if (event.type === "cell.checked" && event.data.cellId === cellId) isChecked = true;
  }
  const journal = await readCellJournal(log.journal.read(cellId));
  return { journal, prior: calls.byIndex, listed: calls.listed(), isChecked };
}

/** Paths of the tools that an earlier process called. */
export function calledBefore(open: OpenCell | undefined): readonly string[] {
  if (open === undefined) return [];
  return [...open.journal.settled, ...open.prior.values()].map(({ toolPath }) => toolPath);
}

/** The record in the form the sandbox needs: its ids count from 1, indexes here count from 0. */
export function toCellRecord({ journal, prior }: OpenCell): CellRecord {
  const calls = new Map<number, string>();
  for (const { index, toolPath, inputHash } of journal.settled)
    calls.set(index + 1, callFingerprint(toolPath, inputHash));
  for (const [index, { toolPath, inputHash }] of prior)
    calls.set(index + 1, callFingerprint(toolPath, inputHash));
  const settled = journal.settled.map((entry) => ({
    id: entry.index + 1,
    settlement: settlementOf(entry, entry.atMs),
  }));
  return { calls, settled, image: journal.image };
}

export function callFingerprint(toolPath: BridgeCall["path"], inputHash: string): string {
  return `${toolPath} ${inputHash}`;
}
