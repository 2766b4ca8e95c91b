import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { sqliteFailureOf, type Database, type Transaction } from "@deputy/sqlite";
import { StoreError } from "../store-error.ts";
import type { TailWitness, WitnessRecord } from "../soundness/tail-witness.ts";

/** The paths of all files of one store. */
export interface StoreFiles {
  readonly directory: string;
  readonly database: string;
  readonly lock: string;
  readonly tail: string;
  readonly key: string;
  /** A database that is being made and does not count yet. */
  readonly draft: string;
  /** A repaired database that is complete and only has to take the place of the damaged one. */
  readonly repaired: string;
}

export function storeFiles(directory: string): StoreFiles {
  return {
    directory,
    database: join(directory, "deputy.db"),
    lock: join(directory, "deputy.lock"),
    tail: join(directory, "deputy.tail"),
    key: join(directory, "key"),
    draft: join(directory, "deputy.db.draft"),
    repaired: join(directory, "deputy.db.repaired"),
  };
}

/** True if the system or SQLite reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  return (
    systemCodeOf(error) === "ENOSPC" || systemCodeOf(error) === "EDQUOT" || sqliteFailureOf(error) === "full"
  );
}

export function diskFull(path: string, cause: unknown): StoreError {
  return new StoreError("home_unusable", `The disk is full: ${path} cannot be written to`, {
    cause,
    hint: "Nothing was changed, and everything that was acknowledged is safe. Make room, then start again.",
  });
}

/** An I/O error: the disk or the system failed to read or write. */
export function isDiskRefusal(error: unknown): boolean {
  return systemCodeOf(error) === "EIO" || sqliteFailureOf(error) === "refused";
}

export function diskRefused(path: string, cause: unknown): StoreError {
  return new StoreError("home_unusable", `The disk refuses to read or write ${path}`, {
    cause,
    hint: "Nothing was changed. Check the disk.",
  });
}

/** Creates the directory if need be, for its owner only. Idempotent. Throws `home_unusable`. */
export function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    if (isDiskFull(cause)) throw diskFull(directory, cause);
    throw new StoreError("home_unusable", `${directory} cannot be created`, { cause });
  }
}

/**
 * Creates an empty file for its owner only; an existing one keeps its content and is not opened, because
 * closing a descriptor of a database would drop the locks that SQLite holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (cause) {
    if (isDiskFull(cause)) throw diskFull(path, cause);
    if (systemCodeOf(cause) !== "EEXIST")
      throw new StoreError("home_unusable", `${path} cannot be created`, { cause });
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/** Size of a file in bytes; 0 if it does not exist. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Makes a file's content, or creations and renames in a directory, survive a power cut. */
export function syncPath(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Records that the log is in use, or was closed properly. */
interface ShutdownMark {
  /**
   * Syncs everything committed, including what was acknowledged as relaxed, and then updates the witness.
   * Does nothing on a full disk; throws if the disk refuses.
   */
  set(record: WitnessRecord): void;
}

export function createShutdownMark(deps: {
  readonly db: Database;
  readonly transaction: Transaction;
  readonly witness: TailWitness;
}): ShutdownMark {
  const { transaction, witness } = deps;
  const setFact = deps.db.sql("INSERT OR REPLACE INTO facts VALUES ('shutdown', ?)");

  return {
    set(record) {
      try {
        transaction.begin("full");
        setFact.run(record.shutdown);
        transaction.commit();
      } catch (error) {
        transaction.rollback();
        if (sqliteFailureOf(error) === "full") return;
        throw error;
      }
      witness.record(record);
      witness.sync();
    },
  };
}
