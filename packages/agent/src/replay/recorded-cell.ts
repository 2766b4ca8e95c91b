import { type CallId, CodedError } from "@deputy/kit";
import { EventLogError, type Journal, type JournalEntry } from "@deputy/protocol";
import { type CellJournal, type JournalledProgram, readCellJournal } from "../cell/cell-journal.ts";
import type { CellEvents } from "./recorded-turn.ts";

/** A cell as the log and the journal have it. */
export interface RecordedCell extends CellEvents {
  readonly journal: CellTold | { readonly kind: "lost"; readonly why: string };
}

/** Everything needed to run a cell again. */
export interface CellTold {
  readonly kind: "kept";
  readonly program: JournalledProgram;
  readonly settled: CellJournal["settled"];
  /** The result of a program of the user's, when the event has it cut or redacted. */
  readonly wholeResultJson: string | undefined;
}

/** One call of a cell, from both records. */
export interface RecordedCall {
  readonly callId: CallId;
  readonly seq: number;
  readonly toolPath: string;
  /** As the program called it. */
  readonly calledAs: string;
  /** Plain JSON as the tool got it; from the event, redacted, when the call never settled. */
  readonly input: unknown;
  readonly inputHash: string;
  /** The input that the program gave, as JSON; absent when the call never settled. */
  readonly askedJson: string | undefined;
}

/**
 * Rejects when the journal cannot be read at all, for example without its key. Damaged entries are reported in
 * `journal`.
 */
export async function readRecordedCell(
  events: CellEvents,
  journal: Pick<Journal, "read">,
): Promise<RecordedCell> {
  return { ...events, journal: await readTold(events, journal) };
}

async function readTold(
  events: CellEvents,
  journal: Pick<Journal, "read">,
): Promise<RecordedCell["journal"]> {
  try {
    const entries = await Array.fromAsync(journal.read(events.submitted.data.cellId));
    const { program, settled } = await readCellJournal(entries);
    if (program === undefined) return { kind: "lost", why: "the journal has nothing of it" };
    return { kind: "kept", program, settled, wholeResultJson: wholeResult(entries) };
  } catch (error) {
    if (error instanceof EventLogError && error.code === "log_damaged")
      return { kind: "lost", why: error.message };
    if (error instanceof CodedError) throw error;
    return { kind: "lost", why: "its journal is not one that this version can read" };
  }
}

function wholeResult(entries: readonly JournalEntry[]): string | undefined {
  const entry = entries.findLast(({ kind }) => kind === "result");
  return entry === undefined ? undefined : new TextDecoder().decode(entry.bytes);
}

/** By index, in the order in which the program made them. */
export function callsOf(cell: CellEvents, told: CellTold): ReadonlyMap<number, RecordedCall> {
  const settled = new Map(told.settled.map((entry) => [entry.callId, entry]));
  return new Map(
    cell.requested.map(({ seq, data }) => {
      const { callId, toolPath, calledAs = toolPath, inputHash } = data;
      const entry = settled.get(callId);
      const { input } = entry ?? data;
      const askedJson = entry && (entry.askedJson ?? JSON.stringify(entry.input));
      return [data.index, { callId, seq, toolPath, calledAs, inputHash, input, askedJson }];
    }),
  );
}
