import type { Clock, IdSource } from "@deputy/kit";
import type { Damage, EventLogError } from "@deputy/protocol";
import { type Database, sqliteFailureOf } from "@deputy/sqlite";
import { assertOursByHeader, createDatabase, openForWriting } from "./database/connection.ts";
import { StoreError } from "./store-error.ts";
import { damagedError, inspectStore } from "./soundness/inspect-store.ts";
import { finishRepair } from "./soundness/finish-repair.ts";
import type { OpenReport } from "./open-report.ts";
import {
  diskFull,
  diskRefused,
  isDiskFull,
  isDiskRefusal,
  prepareDirectory,
  sizeOf,
  type StoreFiles,
  storeFiles,
} from "./database/store-files.ts";
import { defaultStoreLimits, type StoreLimits } from "./store-limits.ts";
import { assembleStore, type SqliteStore } from "./sqlite-store.ts";
import { NOTHING_ACKNOWLEDGED, openTailWitness, readTailWitness } from "./soundness/tail-witness.ts";
import { acquireWriterLock } from "./database/writer-lock.ts";

export interface SqliteStoreOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** What to do about a damaged log: `refuse` to open it (the default), or `repair` it first. */
  readonly onDamage?: (damage: readonly Damage[]) => "refuse" | "repair";
  readonly limits?: Partial<StoreLimits>;
  /** Called once when the log has failed for good and must be closed and reopened. Must not throw. */
  readonly onFailed?: ((error: EventLogError) => void) | undefined;
}

/**
 * Opens the log of a home for writing, creating what is missing. Throws `home_in_use`,
 * `home_unusable`, `database_too_new`, `foreign_database`, `log_damaged`, `key_missing` or
 * `key_invalid`; a home that is refused is left as it was.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const files = storeFiles(options.directory);
  const limits = { ...defaultStoreLimits, ...options.limits };
  prepareDirectory(files.directory);
  assertOursByHeader(files);
  const lock = acquireWriterLock(files);
  let db: Database | undefined;
  try {
    finishRepair(files);
    const report = await inspectOrRepair(files, limits, options);
    if (report.shutdown === "new" && report.repaired === undefined) await createStore(files);
    db = openForWriting(files.database);
    if (report.shutdown === "unclean") writeAnew(db);
    return assembleStore({ ...options, db, files, limits, lock, report });
  } catch (error) {
    db?.close();
    lock.release();
    throw unusable(files, error);
  }
}

async function inspectOrRepair(
  files: StoreFiles,
  limits: StoreLimits,
  options: SqliteStoreOptions,
): Promise<OpenReport> {
  const { damage, ...found } = inspectStore(files, limits);
  if (damage.length === 0) return found;
  const answer = options.onDamage?.(damage) ?? "refuse";
  if (answer === "refuse") throw damagedError(files, damage);
  const { repairDamaged } = await import("./soundness/repair.ts");
  const repaired = await repairDamaged(files, options, damage);
  const { damage: left, ...now } = inspectStore(files, limits);
  if (left.length > 0) throw damagedError(files, left);
  return { ...now, repaired };
}

/**
 * Moves the write-ahead log into the database. If the last process did not end properly, a sync may have
 * failed: then the system shows data that is not on the disk, and anything written after it in the same file
 * would be lost with it at a power cut. On a full disk, and while another program reads, the write-ahead log
 * stays.
 */
function writeAnew(db: Database): void {
  db.exec("PRAGMA synchronous = FULL");
  try {
    db.sql("PRAGMA wal_checkpoint(TRUNCATE)").get();
  } catch (error) {
    if (sqliteFailureOf(error) !== "full") throw error;
  }
}

/** The witness is created first, so a database without one has lost it. */
async function createStore(files: StoreFiles): Promise<void> {
  if (readTailWitness(files.tail).kind !== "found") {
    const witness = openTailWitness(files.tail);
    witness.record(NOTHING_ACKNOWLEDGED);
    witness.record(NOTHING_ACKNOWLEDGED);
    witness.sync();
    witness.close();
  }
  if (sizeOf(files.database) === 0) await createDatabase(files);
}

/** Turns what the system refused into an error of ours; bugs pass through unchanged. */
function unusable(files: StoreFiles, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error) || !("code" in error)) return error;
  if (isDiskFull(error)) return diskFull(files.directory, error);
  if (isDiskRefusal(error)) return diskRefused(files.directory, error);
  return new StoreError("home_unusable", `${files.directory} cannot be opened`, {
    cause: error,
    hint: "Nothing was changed. `deputy doctor` says what is in the way.",
  });
}
