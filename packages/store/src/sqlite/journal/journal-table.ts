import {
  createSecretKey,
  createCipheriv,
  createDecipheriv,
  type KeyObject,
  randomBytes,
  createHmac,
} from "node:crypto";
import { type CellId, systemCodeOf } from "@deputy/kit";
import { EventLogError, type Journal, type JournalEntry } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { readable } from "../rows/event-rows.ts";
import { type StoreFiles, syncPath } from "../database/store-files.ts";
import { StoreError } from "../store-error.ts";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";

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

const FACT = "journal_key";

/**
 * The key of this store's journal, made on first use. Throws `key_missing` when entries exist that
 * only a lost key can read, and `key_invalid` when the key is another one.
 */
export function unlockJournal(db: Database, files: StoreFiles): Uint8Array {
  const known = knownFingerprint(db);
  const inUse = db.sql("SELECT 1 FROM journal LIMIT 1").get() !== undefined;
  const key = readJournalKey(files);
  if (key === undefined && inUse) throw keyMissing(files);
  if (key !== undefined) keepToOwner(files);
  const usable = key ?? createJournalKey(files);
  const fingerprint = keyFingerprint(usable);
  if (fingerprint === known) return usable;
  if (inUse && known !== undefined) throw keyInvalid(files);
  db.sql("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(FACT, fingerprint);
  return usable;
}

/**
 * The same for a reader: creates nothing, and throws `key_missing` or `key_invalid` without the right key.
 */
export function unlockJournalForReading(db: Database, files: StoreFiles): Uint8Array {
  const key = readJournalKey(files);
  if (key === undefined) throw keyMissing(files);
  if (keyFingerprint(key) !== knownFingerprint(db)) throw keyInvalid(files);
  return key;
}

function knownFingerprint(db: Database): unknown {
  return db.sql("SELECT value FROM facts WHERE name = ?").get(FACT)?.["value"];
}

function keyMissing(files: StoreFiles): StoreError {
  return new StoreError("key_missing", `${files.key} is gone, and the journal is encrypted with it`, {
    hint: WITHOUT_KEY,
  });
}

function keyInvalid(files: StoreFiles): StoreError {
  return new StoreError("key_invalid", `${files.key} is not the key the journal was encrypted with`, {
    hint: WITHOUT_KEY,
  });
}

const KEY_BYTES = 32;

/** What to do if the key is missing or wrong. */
const WITHOUT_KEY =
  "The log itself is not encrypted: all of it is there. Put the key back from a backup. Without one, " +
  "`deputy audit repair --new-key` gives up what only that key can read, ends the tasks that were under way, and keeps everything else.";

/** The key in `key`, undefined if there is none. Throws `key_invalid` if the file does not hold a key. */
function readJournalKey(files: StoreFiles): Buffer | undefined {
  try {
    const key = readFileSync(files.key);
    if (key.length !== KEY_BYTES)
      throw new StoreError("key_invalid", `${files.key} is not a key: it has ${key.length} bytes, not 32`, {
        hint: WITHOUT_KEY,
      });
    return key;
  } catch (cause) {
    if (systemCodeOf(cause) === "ENOENT") return undefined;
    if (cause instanceof StoreError) throw cause;
    throw new StoreError("home_unusable", `${files.key} cannot be read`, { cause });
  }
}

/** Removes access that an older umask or a copy may have given to others. */
function keepToOwner(files: StoreFiles): void {
  if ((statSync(files.key).mode & 0o077) !== 0) chmodSync(files.key, 0o600);
}

/** Makes a new key for its owner only, completely or not at all. */
function createJournalKey(files: StoreFiles): Buffer {
  const key = randomBytes(KEY_BYTES);
  const draft = `${files.key}.draft`;
  const fd = openSync(draft, "w", 0o600);
  try {
    writeSync(fd, key);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, files.key);
  syncPath(files.directory);
  return key;
}

/** Tells whether a key is the right one, without revealing anything about it. */
function keyFingerprint(key: Uint8Array): string {
  return createHmac("sha256", key).update("deputy journal key").digest("hex");
}
