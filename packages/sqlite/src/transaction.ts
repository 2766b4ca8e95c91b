import type { Database } from "./database.ts";

/** `full`: COMMIT returns after the disk has it. `relaxed`: after the system has it; a later `full` keeps it too. */
export type Durability = "full" | "relaxed";

/** One write transaction at a time on a connection. */
export interface Transaction {
  /** `none`: without any sync, for what need not outlive the next one. */
  begin(durability: Durability | "none"): void;
  commit(): void;
  /** Never throws; does nothing when SQLite has already rolled back. */
  rollback(): void;
}

const SYNCHRONOUS = { full: "FULL", relaxed: "NORMAL", none: "OFF" } as const;

/** To be the only one that sets `synchronous` on this connection. */
export function createTransaction(db: Database): Transaction {
  const begin = db.sql("BEGIN IMMEDIATE");
  const commit = db.sql("COMMIT");
  let current: Durability | "none" | undefined;

  return {
    begin(durability) {
      if (durability !== current) {
        db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`);
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
