import type { Database } from "@deputy/sqlite";
import { type StoreFiles, isFsError, syncPath } from "../database/store-files.ts";
import { StoreError } from "../store-error.ts";
import { createHmac, randomBytes } from "node:crypto";
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
    if (isFsError(cause, "ENOENT")) return undefined;
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
