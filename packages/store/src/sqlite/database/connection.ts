import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase, sqliteFailureOf } from "@deputy/sqlite";
import { assertOurs, migrate } from "./schema.ts";
import { createPrivateFile, sizeOf, type StoreFiles, syncPath } from "./store-files.ts";

/** How long one statement waits for a lock that another process holds briefly. */
const BUSY_MS = 500;

/** The files that SQLite puts beside a database. */
export const SIDE_FILES = ["-wal", "-shm", "-journal"] as const;

/** The writer's connection, with the schema brought up to date. */
export function openForWriting(path: string): Database {
  const db = openDatabase(path, { timeoutMs: BUSY_MS });
  try {
    db.exec(`PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA secure_delete = ON;
      PRAGMA trusted_schema = OFF;`);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A connection that cannot change anything, with or without a writer beside it. */
export function openForReading(path: string): Database {
  return openDatabase(path, { mode: "reading", timeoutMs: BUSY_MS });
}

/** A connection, and the function to call after closing it. */
export interface OpenedAnywhere {
  readonly db: Database;
  release(): void;
}

/**
 * Reads a database also on a read-only or full disk, where SQLite cannot create its index of the write-ahead
 * log. While a process writes, the index exists. Otherwise nobody writes, and a write-ahead log that was left
 * behind is read from a copy. Throws for a file that is not a database.
 */
export function openAnywhere(path: string): OpenedAnywhere {
  const beside = openForReading(path);
  try {
    beside.sql("SELECT count(*) FROM sqlite_schema").get();
    return { db: beside, release: () => undefined };
  } catch (error) {
    beside.close();
    if (sqliteFailureOf(error) === "damaged" || sqliteFailureOf(error) === "busy") throw error;
  }
  if (sizeOf(`${path}-wal`) === 0)
    return { db: openDatabase(path, { mode: "immutable" }), release: () => undefined };
  const directory = mkdtempSync(join(tmpdir(), "deputy-read-"));
  const release = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const copy = join(directory, "deputy.db");
    for (const side of ["", "-wal"]) copyFileSync(path + side, copy + side);
    return { db: openForReading(copy), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Throws `database_too_new` or `foreign_database` from the file's header alone, touching nothing. */
export function assertOursByHeader(files: StoreFiles): void {
  if (sizeOf(files.database) === 0) return;
  let db: Database | undefined;
  try {
    db = openDatabase(files.database, { mode: "immutable" });
    db.sql("PRAGMA schema_version").get();
  } catch {
    db?.close();
    return; // Not readable as a database: the inspection that follows reports it properly.
  }
  try {
    assertOurs(db, files.database);
  } finally {
    db.close();
  }
}

/** Creates a database at `draft`, in a single file, with what `fill` writes into it. */
export async function buildDatabase<T>(files: StoreFiles, fill: (db: Database) => Promise<T>): Promise<T> {
  for (const side of ["", ...SIDE_FILES]) rmSync(files.draft + side, { force: true });
  createPrivateFile(files.draft);
  const db = openForWriting(files.draft);
  try {
    const filled = await fill(db);
    // Closing would also move the write-ahead log into the file, but would not report a failure.
    const moved = db.sql("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (moved?.["busy"] !== 0) throw new Error(`${files.draft} could not be finished`);
    return filled;
  } finally {
    db.close();
  }
}

/** Creates a new, empty database completely or not at all. */
export async function createDatabase(files: StoreFiles): Promise<void> {
  await buildDatabase(files, async () => undefined);
  renameSync(files.draft, files.database);
  syncPath(files.directory);
}
