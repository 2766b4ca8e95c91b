import { EventLogError } from "@deputy/protocol";
import { createTransaction, type Database, sqliteFailureOf, type Transaction } from "@deputy/sqlite";

/** A transaction of the log. */
export interface LogTransaction extends Transaction {
  /**
   * Called after a commit that failed and was rolled back. The commit is still in the write-ahead log, where
   * the next opening would take it as committed. Overwrites it, without a sync. False if that failed.
   */
  writeOver(): boolean;
}

export function createLogTransaction(db: Database): LogTransaction {
  const transaction = createTransaction(db);
  return {
    ...transaction,
    writeOver() {
      try {
        transaction.begin("none");
        db.exec("INSERT OR REPLACE INTO facts VALUES ('shutdown', 'failed')");
        transaction.commit();
        return true;
      } catch {
        transaction.rollback();
        return false;
      }
    },
  };
}

const OPENED_ANEW =
  "Check the disk. A daemon reopens the log and continues by itself; anything else must be restarted.";

/**
 * Why a transaction did not commit. `storage_full`: nothing of it was kept, and writing may continue once
 * there is room. Anything else: it is unknown what the disk holds, so nothing may be acknowledged any more (a
 * sync that failed once may succeed the next time without having written). `kept` says whether the next
 * opening may still find the transaction.
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
