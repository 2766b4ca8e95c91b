import { createSecretKey } from "node:crypto";
import type { CellId } from "@deputy/kit";
import { EventLogError, type Journal, type JournalEntry } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { readable } from "../rows/decode-row.ts";
import { openEntry, sealEntry } from "./journal-cipher.ts";

/** The encrypted entries. `add` and `erase` belong inside a transaction. */
export interface JournalTable {
  add(entry: JournalEntry): void;
  erase(cell: CellId): void;
  /** The entries of a cell from `ordinal` on. Throws `log_damaged` when one is missing or does not decrypt. */
  page(cell: CellId, ordinal: number): readonly JournalEntry[];
}

/** Entries can be large; few are held at a time. */
const PAGE_ENTRIES = 16;

export function createJournalTable(db: Database, keyBytes: Uint8Array): JournalTable {
  const key = createSecretKey(keyBytes);
  const last = db.sql("SELECT max(ordinal) AS ordinal FROM journal WHERE cell_id = ?");
  const insert = db.sql("INSERT INTO journal (cell_id, ordinal, kind, nonce, sealed) VALUES (?, ?, ?, ?, ?)");
  const remove = db.sql("DELETE FROM journal WHERE cell_id = ?");
  const page = db.sql(
    "SELECT ordinal, kind, nonce, sealed FROM journal WHERE cell_id = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?",
  );

  return {
    add({ cellId, kind, bytes }) {
      const ordinal = Number(last.get(cellId)?.["ordinal"] ?? -1) + 1;
      const { nonce, sealed } = sealEntry(key, { cellId, ordinal, kind }, bytes);
      insert.run(cellId, ordinal, kind, nonce, sealed);
    },
    erase: (cell) => void remove.run(cell),
    page: (cell, ordinal) =>
      readable(() => page.all(cell, ordinal, PAGE_ENTRIES)).map((row, index) => {
        const { kind, nonce, sealed } = row;
        if (typeof kind !== "string" || !(nonce instanceof Uint8Array) || !(sealed instanceof Uint8Array))
          throw damagedEntry(cell, ordinal + index);
        try {
          const slot = { cellId: cell, ordinal: ordinal + index, kind };
          return { cellId: cell, kind, bytes: openEntry(key, slot, { nonce, sealed }) };
        } catch (cause) {
          throw damagedEntry(cell, ordinal + index, cause);
        }
      }),
  };
}

/** Page by page: a cell's entries together may be large. `table` is asked for when reading begins. */
export function readJournal(db: Database, table: () => JournalTable): Journal["read"] {
  return async function* read(cell) {
    for (let next = 0; ;) {
      if (!db.isOpen) throw new EventLogError("log_closed", "The log is closed");
      const page = table().page(cell, next);
      if (page.length === 0) return;
      yield* page;
      next += page.length;
    }
  };
}

function damagedEntry(cell: CellId, ordinal: number, cause?: unknown): EventLogError {
  return new EventLogError("log_damaged", `Entry ${ordinal} of the journal of ${cell} does not decrypt`, {
    cause,
  });
}
