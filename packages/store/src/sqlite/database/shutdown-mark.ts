import { type Database, sqliteFailureOf, type Transaction } from "@deputy/sqlite";
import type { TailWitness, WitnessRecord } from "../soundness/tail-witness.ts";

/** Notes that the log is being used, or was closed properly. */
export interface ShutdownMark {
  /**
   * Syncs all that was committed, also what was acknowledged as relaxed, and only then lets the
   * witness speak of it. Does nothing on a full disk; throws when the disk refuses.
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
