import { createValueRedactor } from "@deputy/secrets";
import { settledEvent } from "../gate/call-record.ts";
import type { JournalledSettlement } from "../cell/cell-journal.ts";
import { toReceipt } from "../cell/run-program.ts";
import { type Divergence, firstDifference } from "./divergence.ts";
import type { CellTold } from "./recorded-cell.ts";
import type { CellEvents } from "./recorded-turn.ts";

/** Nothing is redacted while comparing, because the secrets of that time are not known. */
const raw = createValueRedactor([]);

/** Does the journal have the same calls as the log, with the same ends, in the same order? */
export function compareRecords(cell: CellEvents, told: CellTold): Divergence | undefined {
  for (const [order, entry] of told.settled.entries()) {
    const divergence = compareCall(cell, entry, order);
    if (divergence !== undefined) return divergence;
  }
  return undefined;
}

/** The first call that settled in the log, and of which the journal does not know what it gave. */
export function findUntold(cell: CellEvents, told: CellTold): string | undefined {
  const event = cell.settled[told.settled.length];
  if (event === undefined) return undefined;
  const index = cell.requested.find(({ data }) => data.callId === event.data.callId)?.data.index;
  return `the journal lacks what call ${(index ?? told.settled.length) + 1}, ${event.data.toolPath}, gave`;
}

function compareCall(cell: CellEvents, entry: JournalledSettlement, order: number): Divergence | undefined {
  const name = `call ${entry.index + 1}, ${entry.toolPath}`;
  const requested = cell.requested.find(({ data }) => data.index === entry.index);
  const settled = cell.settled[order];
  if (requested === undefined || settled === undefined) {
    const { seq } = cell.submitted;
    return { seq, what: name, expected: "no such call", came: "one, in the journal" };
  }
  const { callId, toolPath, input, inputHash } = requested.data;
  const asked = firstDifference(
    `${name}, in the journal`,
    { callId, toolPath, input, inputHash },
    { callId: entry.callId, toolPath: entry.toolPath, input: entry.input, inputHash: entry.inputHash },
  );
  if (asked !== undefined) return { seq: requested.seq, ...asked };
  const { turnId, data } = cell.submitted;
  if (turnId === undefined) throw new Error("A cell belongs to a turn");
  const told = settledEvent(toReceipt(entry, order), { turnId, cellId: data.cellId }, undefined, raw).data;
  const ended = firstDifference(`${name}, in the journal`, comparable(settled.data), comparable(told));
  return ended === undefined ? undefined : { seq: settled.seq, ...ended };
}

/** Labels are the gate's matter, so they are left out here. */
function comparable(settled: object): unknown {
  const { labels: _labels, attachments: _attachments, ...data } = settled as Record<string, unknown>;
  return data;
}
