import { type Database, openDatabase, sqliteFailureOf } from "@deputy/sqlite";
import {
  createPrivateFile,
  diskFull,
  diskRefused,
  isDiskFull,
  isDiskRefusal,
  type StoreFiles,
  storeFiles,
} from "./store-files.ts";
import { StoreError } from "../store-error.ts";
import { existsSync } from "node:fs";

/** The right to write. Held until released; the system releases it when the process dies, in whatever way. */
export interface WriterLock {
  /** Idempotent. */
  release(): void;
}

/** How long to wait for a process that is writing its id. */
const BUSY_MS = 100;
const ATTEMPTS = 5;

/**
 * `deputy.lock` is a tiny database with an open write transaction in it. The holder's process id was
 * committed just before, so that the loser can name it. Throws `home_in_use` or `home_unusable`.
 */
export function acquireWriterLock(files: StoreFiles): WriterLock {
  createPrivateFile(files.lock);
  const db = openLock(files);
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (hold(db)) return { release: db.close };
    }
    throw inUse(files, readHolder(db));
  } catch (cause) {
    const error = cause instanceof StoreError ? cause : lockFailure(files, db, cause);
    db.close();
    throw error;
  }
}

function openLock(files: StoreFiles): Database {
  try {
    return openDatabase(files.lock, { timeoutMs: BUSY_MS });
  } catch (cause) {
    throw new StoreError("home_unusable", `${files.lock} cannot be opened`, { cause });
  }
}

/** False if another process wrote its id between our id and our transaction. */
function hold(db: Database): boolean {
  db.exec("BEGIN IMMEDIATE");
  db.exec("CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER NOT NULL) STRICT");
  db.sql("INSERT OR REPLACE INTO holder VALUES (1, ?)").run(process.pid);
  db.exec("COMMIT; BEGIN IMMEDIATE");
  if (readHolder(db) === process.pid) return true;
  db.exec("ROLLBACK");
  return false;
}

function readHolder(db: Database): number | undefined {
  try {
    const pid = db.sql("SELECT pid FROM holder").get()?.["pid"];
    return typeof pid === "number" ? pid : undefined;
  } catch {
    return undefined; // The holder has not written its id yet; the lock is held all the same.
  }
}

function lockFailure(files: StoreFiles, db: Database, cause: unknown): StoreError {
  if (sqliteFailureOf(cause) === "busy") return inUse(files, readHolder(db));
  if (isDiskFull(cause)) return diskFull(files.directory, cause);
  if (isDiskRefusal(cause)) return diskRefused(files.directory, cause);
  return new StoreError("home_unusable", `${files.lock} cannot be used`, {
    cause,
    hint: "It holds nothing of value: when no Deputy is running, delete it.",
  });
}

function inUse(files: StoreFiles, pid: number | undefined): StoreError {
  const holder = pid === process.pid ? "this process" : `process ${pid ?? "(unknown)"}`;
  return new StoreError("home_in_use", `${files.directory} is in use by ${holder}`, {
    hint: "Stop that Deputy first, or choose another home with --home.",
  });
}

/**
 * The process that holds a home's writer lock now; undefined if none does or it cannot be determined. Never
 * throws.
 */
export function findWriter({
  directory,
}: {
  readonly directory: string;
}): { readonly pid: number } | undefined {
  const { lock } = storeFiles(directory);
  if (!existsSync(lock)) return undefined;
  try {
    using db = openDatabase(lock);
    if (!isHeld(db)) return undefined;
    const pid = db.sql("SELECT pid FROM holder").get()?.["pid"];
    return typeof pid === "number" ? { pid } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The id stays after its process ended, the transaction does not. A writer that starts just now waits until
 * this attempt is over.
 */
function isHeld(db: Database): boolean {
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    if (sqliteFailureOf(error) === "busy") return true;
    throw error;
  }
}
