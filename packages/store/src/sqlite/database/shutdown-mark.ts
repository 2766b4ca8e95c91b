import { type Database, sqliteFailureOf, type Transaction } from "@deputy/sqlite";
import type { TailWitness, WitnessRecord } from "../soundness/tail-witness.ts";

/** Records that the log is in use, or was closed properly. */
export interface ShutdownMark {
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
