import type { Clock, IdSource } from "@deputy/kit";
import { type EventLog, type EventLogError, headerHash } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { createLiveHub, type PlacedEvents } from "../log/index.ts";
import { createCheckpointer } from "./database/checkpointer.ts";
import { createCommitQueue, createLogTransaction } from "./database/commit-queue.ts";
import { openForReading } from "./database/connection.ts";
import { createFileIdentity } from "./database/file-identity.ts";
import { createEventRows, type EventRows } from "./rows/event-rows.ts";
import { createEventWriter, type Tail } from "./rows/event-writer.ts";
import { unlockJournal, createJournalTable } from "./journal/journal-table.ts";
import { createLogEnd } from "./rows/log-end.ts";
import { createLogReads, type SealedSource } from "./rows/log-reads.ts";
import type { OpenReport } from "./open-report.ts";
import { createPlacedEvents } from "./rows/placed-events.ts";
import { sha256 } from "./sha256.ts";
import { createShutdownMark, type StoreFiles } from "./database/store-files.ts";
import { createSnapshotTable } from "./rows/snapshot-table.ts";
import { createSqliteLog } from "./rows/sqlite-log.ts";
import type { StoreLimits } from "./store-limits.ts";
import { NOTHING_ACKNOWLEDGED, openTailWitness } from "./soundness/tail-witness.ts";
import type { WriterLock } from "./database/writer-lock.ts";

export interface SqliteStore extends SealedSource, AsyncDisposable {
  readonly log: EventLog;
  readonly report: OpenReport;
  /** For projections that keep their own place in the log. */
  readonly events: PlacedEvents;
  /**
   * Why an append would be refused now, or the last one was. `storage_full` and `log_missing` go away by
   * themselves; after `log_failed` the store must be closed and reopened.
   */
  trouble(): EventLogError | undefined;
  /** Commits what waits, ends subscriptions, and gives the home back. Idempotent. */
  close(): Promise<void>;
}

/** Puts the parts together over a database that was found sound. Owns `db` and `lock` once it returns. */
export function assembleStore(deps: {
  readonly db: Database;
  readonly files: StoreFiles;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly limits: StoreLimits;
  readonly lock: WriterLock;
  readonly report: OpenReport;
  readonly onFailed?: ((error: EventLogError) => void) | undefined;
}): SqliteStore {
  const { db, files, limits, lock, report } = deps;
  const journal = createJournalTable(db, unlockJournal(db, files));
  const tail = lastEvent(createEventRows(db));
  const end = createLogEnd(tail.position);
  const reads = createLogReads({
    db,
    end,
    tailPath: files.tail,
    isolation: "only_writer",
    integrityCheckBytes: limits.quickCheckBytes,
  });
  const writer = createEventWriter({ ...deps, tail });
  const witness = openTailWitness(files.tail);
  const hub = createLiveHub();
  const identity = createFileIdentity(files.database);
  const checkpointer = createCheckpointer({
    db,
    limits,
    onFailure: (cause) => queue.fail(cause),
    onEmptied: identity.noteEmptied,
  });
  const transaction = createLogTransaction(db);
  const queue = createCommitQueue({
    transaction,
    limits,
    check: identity.trouble,
    beforeCommit: writer.finish,
    afterCommit(durability) {
      // If the file was removed meanwhile, the data went to a file that nobody can open again.
      const trouble = identity.trouble();
      if (trouble !== undefined) throw trouble;
      committed = writer.committed();
      end.committed(committed.events, committed.tail.position);
      if (durability === "full") witness.record({ ...committed.tail, shutdown: "running" });
    },
    announce() {
      hub.committed(committed.events);
      checkpointer.ifDue();
    },
    rolledBack: writer.reset,
    onFailed: deps.onFailed ?? (() => undefined),
  });
  let committed = writer.committed();
  const snapshots = createSnapshotTable({ db, queue });

  const mark = createShutdownMark({ db, transaction, witness });
  mark.set({ ...committed.tail, shutdown: "running" });

  const close = async (): Promise<void> => {
    if (!db.isOpen) return;
    queue.close();
    hub.close();
    try {
      if (!queue.failed && identity.trouble() === undefined)
        mark.set({ ...committed.tail, shutdown: "clean" });
    } catch {
      // The next opening sees an unclean shutdown and checks more thoroughly.
    }
    using last = new DisposableStack();
    last.defer(lock.release);
    last.defer(() => (queue.failed ? closeAsItIs(db, files.database) : db.close()));
    last.defer(witness.close);
  };

  return {
    log: createSqliteLog({ db, reads, writer, queue, checkpointer, hub, journal, snapshots, limits }),
    report,
    trouble: queue.trouble,
    events: createPlacedEvents(reads.source, hub),
    head: reads.head,
    readSealed: reads.readSealed,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Closes without moving the write-ahead log into the database, as SQLite does with the last connection. After
 * a failed sync the system may no longer have what was written, and only the next opening compares it with
 * its checksums.
 */
function closeAsItIs(db: Database, path: string): void {
  let other: Database | undefined;
  try {
    other = openForReading(path);
    other.sql("SELECT count(*) FROM sqlite_schema").get();
  } catch {
    // The file can no longer be read either, so nothing of it can be moved.
  }
  db.close();
  other?.close();
}

function lastEvent(rows: EventRows): Tail {
  const [last] = rows.last(1);
  if (last === undefined) return NOTHING_ACKNOWLEDGED;
  return { position: last.position, eventId: last.event.id, hash: headerHash(sha256, last.event) };
}
