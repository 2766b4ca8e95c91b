import { type Database, sqliteFailureOf } from "@deputy/sqlite";

/**
 * Moves pages from the write-ahead log into the database. We do this ourselves because SQLite's automatic
 * checkpoint swallows its errors, and a failed sync must not go unnoticed.
 */
export interface Checkpointer {
  /**
   * After a commit: moves the pages if there are many. It does so a little later, so that no append waits for
   * it.
   */
  ifDue(): void;
  /** Empties the write-ahead log, so that nothing older than the database is left in it. */
  truncate(): void;
}

export function createCheckpointer(deps: {
  readonly db: Database;
  readonly limits: { readonly checkpointPages: number };
  /** The disk refused a write. */
  readonly onFailure: (cause: unknown) => void;
  /** The write-ahead log was emptied. */
  readonly onEmptied: () => void;
}): Checkpointer {
  const { db } = deps;
  const size = db.sql("PRAGMA wal_checkpoint(NOOP)");
  const passive = db.sql("PRAGMA wal_checkpoint(PASSIVE)");
  const truncate = db.sql("PRAGMA wal_checkpoint(TRUNCATE)");
  let truncateDue = false;
  let scheduled = false;

  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      // The disk is full or a reader is in the way: the write-ahead log keeps everything until next time.
      const failure = sqliteFailureOf(cause);
      if (failure !== "full" && failure !== "busy") deps.onFailure(cause);
    }
  };
  const empty = (): void => {
    if (!db.isOpen) return;
    truncateDue = true;
    attempt(() => {
      truncateDue = truncate.get()?.["busy"] !== 0;
      deps.onEmptied();
    });
  };

  const move = (): void => {
    scheduled = false;
    if (truncateDue) empty();
    else if (db.isOpen) attempt(() => void passive.get());
  };

  return {
    ifDue() {
      attempt(() => {
        if (scheduled || Number(size.get()?.["log"] ?? 0) < deps.limits.checkpointPages) return;
        scheduled = true;
        setImmediate(move);
      });
    },
    truncate: empty,
  };
}
