import type { Journal, StoredEvent, VerifyReport, ViewSnapshots } from "@deputy/protocol";
import type { UnverifiedEvents } from "../log/index.ts";
import { openAnywhere, type OpenedAnywhere } from "./database/connection.ts";
import { damagedError } from "./soundness/damaged-error.ts";
import { inspectStore } from "./soundness/inspect-store.ts";
import { unlockJournalForReading } from "./journal/journal-access.ts";
import { createJournalTable, type JournalTable, readJournal } from "./journal/journal-table.ts";
import { anchorAt, type LogAnchor } from "./soundness/log-anchor.ts";
import { createLogReads, type LogReads, type SealedSource } from "./rows/log-reads.ts";
import { createUnverifiedEvents } from "./rows/placed-events.ts";
import { type BackwardsFilter, readBackwards } from "./rows/read-backwards.ts";
import { assertOurs } from "./database/schema.ts";
import { isFsError, sizeOf, type StoreFiles, storeFiles } from "./database/store-files.ts";
import { createSnapshotTable } from "./rows/snapshot-table.ts";
import { StoreError } from "./store-error.ts";
import { defaultStoreLimits } from "./store-limits.ts";
import type { VerifyOptions } from "./soundness/verify-log.ts";

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
  if (sizeOf(files.database) === 0) throw nothingToRead(files);
  const { db, release } = openSound(files);
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
    if (!db.isOpen) return;
    db.close();
    release();
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

/** A database that is gone is not the same as one that never was. */
function nothingToRead(files: StoreFiles): StoreError {
  const { damage } = inspectStore(files, defaultStoreLimits);
  return damage.length === 0 ? noDatabase(files.directory) : damagedError(files, damage);
}

function openSound(files: StoreFiles): OpenedAnywhere {
  const path = files.database;
  let opened: OpenedAnywhere | undefined;
  try {
    opened = openAnywhere(path);
    assertOurs(opened.db, path);
    return opened;
  } catch (cause) {
    opened?.db.close();
    opened?.release();
    if (cause instanceof StoreError) throw cause;
    if (isFsError(cause, "EACCES"))
      throw new StoreError("home_unusable", `You may not read ${path}`, {
        cause,
        hint: "Nothing is known to be wrong with it: run this as its owner.",
      });
    throw new StoreError("log_damaged", `${path} cannot be read`, {
      cause,
      hint: "Nothing was changed. `deputy audit repair` keeps what is sound, takes the rest from the daily files, and puts the damaged files aside.",
    });
  }
}
