import type { DatabaseSync } from "node:sqlite";
import type { Journal, StoredEvent, VerifyReport, ViewSnapshots } from "@deputy/protocol";
import type { UnverifiedEvents } from "../log/index.ts";
import { openForReading } from "./connection.ts";
import { unlockJournalForReading } from "./journal-access.ts";
import { createJournalTable, type JournalTable, readJournal } from "./journal-table.ts";
import { anchorAt, type LogAnchor } from "./log-anchor.ts";
import { createLogReads, type LogReads, type SealedSource } from "./log-reads.ts";
import { createUnverifiedEvents } from "./placed-events.ts";
import { type BackwardsFilter, readBackwards } from "./read-backwards.ts";
import { assertOurs } from "./schema.ts";
import { createSnapshotTable } from "./snapshot-table.ts";
import { sizeOf, storeFiles } from "./store-files.ts";
import { StoreError } from "./store-error.ts";
import type { VerifyOptions } from "./verify-log.ts";

export interface SqliteReader extends LogReads, SealedSource, AsyncDisposable {
  /** Rejects with `key_missing` or `key_invalid` without the key it was encrypted with. */
  readonly journal: Pick<Journal, "read">;
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** All events, the newest first: read no further than needed. */
  readBackwards(filter?: BackwardsFilter): AsyncIterable<StoredEvent>;
  /** Those of the process that writes; nothing is kept from here. */
  readonly snapshots: ViewSnapshots;
  /** The log as it is; for comparing it with the daily files. */
  readonly unverified: UnverifiedEvents;
  /** One hash over everything up to a position, or to the end. Throws `log_damaged` for what cannot be read. */
  anchor(position?: number): LogAnchor;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * Reads a log that another process may be writing to; takes no lock and changes nothing.
 * Throws `no_database`, `foreign_database`, `database_too_new` or `log_damaged`.
 */
export function openSqliteReader(options: { readonly directory: string }): SqliteReader {
  const files = storeFiles(options.directory);
  if (sizeOf(files.database) === 0) throw noDatabase(options.directory);
  const db = openSound(files.database);
  const { source, read, readAll, readSealed, head, streams, verify } = createLogReads({
    db,
    tailPath: files.tail,
    isolation: "beside_writer",
    integrityCheckBytes: Infinity,
  });
  let table: JournalTable | undefined;
  const unlocked = (): JournalTable => (table ??= createJournalTable(db, unlockJournalForReading(db, files)));
  const journal = { read: readJournal(db, unlocked) };
  const close = async (): Promise<void> => {
    if (db.isOpen) db.close();
  };
  return {
    read,
    readAll,
    readSealed,
    head,
    streams,
    verify,
    journal,
    readBackwards: (filter = {}) => readBackwards(db, source, filter),
    snapshots: createSnapshotTable({ db }),
    unverified: createUnverifiedEvents(db, source),
    anchor: (position) => anchorAt(db, source, position),
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function noDatabase(directory: string): StoreError {
  return new StoreError("no_database", `There is no log in ${directory} yet`, {
    hint: "Start Deputy once, or choose another home with --home.",
  });
}

function openSound(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = openForReading(path);
    assertOurs(db, path);
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof StoreError) throw cause;
    throw new StoreError("log_damaged", `${path} cannot be read`, {
      cause,
      hint: "`deputy audit repair` keeps what is sound and puts the damaged files aside.",
    });
  }
}
