import type { DatabaseSync } from "node:sqlite";
import { EventLogError } from "@deputy/protocol";
import { sqliteFailureOf } from "./sqlite-failure.ts";

export type Durability = "full" | "relaxed";

/** One write transaction at a time on the writer's connection. */
export interface Transaction {
  /** `full`: COMMIT returns after the disk has it. `relaxed`: after the system has it. */
  begin(durability: Durability): void;
  commit(): void;
  /** Never throws; does nothing when SQLite has already rolled back. */
  rollback(): void;
  /**
   * After a commit that failed and was rolled back: it is still in the write-ahead log, and the next opening would
   * take it for one that was committed. Writes over it, without a sync. False when that could not be done.
   */
  writeOver(): boolean;
}

export function createTransaction(db: DatabaseSync): Transaction {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  let current: Durability | undefined;

  const rollback = (): void => {
    try {
      if (db.isTransaction) db.exec("ROLLBACK");
    } catch {
      // The failure that led here is the one to report.
    }
  };

  return {
    begin(durability) {
      if (durability !== current) {
        db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
        current = durability;
      }
      begin.run();
    },
    commit: () => void commit.run(),
    rollback,
    writeOver() {
      current = undefined;
      try {
        db.exec("PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
        db.exec("INSERT OR REPLACE INTO facts VALUES ('shutdown', 'failed'); COMMIT");
        return true;
      } catch {
        rollback();
        return false;
      }
    },
  };
}

const OPENED_ANEW =
  "Check the disk. A daemon opens the log anew by itself and goes on; anything else has to be started again.";

/**
 * Why a transaction did not commit. `storage_full`: nothing of it was kept, and writing may go on
 * once there is room. Anything else: it is not known what the disk holds, so nothing may be
 * acknowledged any more (a sync that failed once may succeed the next time without having written).
 * `kept` says whether the next opening may find the transaction all the same.
 */
export function commitFailure(cause: unknown, kept: "no" | "unknown"): EventLogError {
  if (sqliteFailureOf(cause) === "full") {
    return new EventLogError("storage_full", "The disk is full; nothing of this was written", {
      cause,
      hint: "Free some space; the log then goes on by itself.",
    });
  }
  if (cause instanceof EventLogError && cause.code === "log_missing") {
    const message =
      "The log's file was taken away while this was being written; whether it was kept is unknown";
    return new EventLogError("log_failed", message, {
      cause,
      hint: "Put the file back (mv, not cp); a daemon then goes on by itself, anything else has to be started again. `deputy audit verify` says whether all is there.",
    });
  }
  if (cause instanceof EventLogError) return cause;
  const what = kept === "no" ? "nothing of this was kept" : "whether this was kept is unknown";
  return new EventLogError("log_failed", `The disk refused a write; ${what}`, { cause, hint: OPENED_ANEW });
}
