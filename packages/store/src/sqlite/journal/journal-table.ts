import { createSecretKey, createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import type { CellId } from "@deputy/kit";
import { EventLogError, type Journal, type JournalEntry } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { readable } from "../rows/decode-row.ts";

/** The encrypted entries. `add` and `erase` belong inside a transaction. */
export interface JournalTable {
  add(entry: JournalEntry): void;
  erase(cell: CellId): void;
  /** The entries of a cell from `ordinal` on. Throws `log_damaged` if one is missing or does not decrypt. */
  page(cell: CellId, ordinal: number): readonly JournalEntry[];
}

/** Entries can be large, so few are held at a time. */
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

/** Reads page by page, since a cell's entries together may be large. Calls `table` when reading begins. */
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

/** A sealed entry is bound to these values and does not decrypt with others. */
interface JournalSlot {
  readonly cellId: string;
  readonly ordinal: number;
  readonly kind: string;
}

interface SealedEntry {
  readonly nonce: Uint8Array;
  /** Ciphertext, then the 16-byte tag. */
  readonly sealed: Uint8Array;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key object, because importing the raw bytes takes longer than sealing. */
export function sealEntry(key: KeyObject, slot: JournalSlot, bytes: Uint8Array): SealedEntry {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(slotBytes(slot));
  return { nonce, sealed: Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]) };
}

/** Throws when the entry was changed, moved, or sealed with another key. */
export function openEntry(key: KeyObject, slot: JournalSlot, entry: SealedEntry): Uint8Array {
  const body = entry.sealed.subarray(0, -TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, entry.nonce, { authTagLength: TAG_BYTES })
    .setAAD(slotBytes(slot))
    .setAuthTag(entry.sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function slotBytes(slot: JournalSlot): Buffer {
  return Buffer.from(JSON.stringify(["deputy journal 1", slot.cellId, slot.ordinal, slot.kind]));
}

const SALT_CHARS = 32;
const POOL_BYTES = 4096;

/** 128 random bits in hex per call; asks the system for many at a time. */
export function createSaltSource(): () => string {
  let pool = "";
  let next = 0;
  return () => {
    if (next === pool.length) {
      pool = randomBytes(POOL_BYTES).toString("hex");
      next = 0;
    }
    next += SALT_CHARS;
    return pool.slice(next - SALT_CHARS, next);
  };
}
