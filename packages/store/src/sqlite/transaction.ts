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
}

export function createTransaction(db: DatabaseSync): Transaction {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  let current: Durability | undefined;

  return {
    begin(durability) {
      if (durability !== current) {
        db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
        current = durability;
      }
      begin.run();
    },
    commit: () => void commit.run(),
    rollback() {
      try {
        if (db.isTransaction) db.exec("ROLLBACK");
      } catch {
        // The failure that led here is the one to report.
      }
    },
  };
}

/**
 * Why a transaction did not commit. `storage_full`: nothing of it was kept, and writing may go on
 * once there is room. Anything else: it is not known what the disk holds, so nothing may be
 * acknowledged any more (a sync that failed once may succeed the next time without having written).
 */
export function commitFailure(cause: unknown): EventLogError {
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
      hint: "Put the file back (mv, not cp) and start Deputy again; `deputy audit verify` then says whether all is there.",
    });
  }
  if (cause instanceof EventLogError) return cause;
  return new EventLogError("log_failed", "The disk refused a write; whether it was kept is unknown", {
    cause,
    hint: "Check the disk, then start Deputy again.",
  });
}
