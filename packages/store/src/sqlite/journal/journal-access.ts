import type { Database } from "@deputy/sqlite";
import { createJournalKey, keepToOwner, keyFingerprint, readJournalKey, WITHOUT_KEY } from "./journal-key.ts";
import type { StoreFiles } from "../database/store-files.ts";
import { StoreError } from "../store-error.ts";

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

/** The same for who only reads: makes nothing, and throws `key_missing` or `key_invalid` without the right key. */
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
