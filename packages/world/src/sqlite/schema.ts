import { type Database, migrateDatabase } from "@deputy/sqlite";
import { WorldError } from "../world-error.ts";

/** "DPTW": tells this file from any other SQLite file. */
export const APPLICATION_ID = 0x44505457;

/** Migration n brings a database from version n to n + 1. Released ones never change. */
const migrations: readonly string[] = [
  `CREATE TABLE runs (
     id TEXT PRIMARY KEY,
     status TEXT NOT NULL,
     workflow TEXT NOT NULL,
     ended INTEGER,
     marker INTEGER NOT NULL DEFAULT 0,
     doc BLOB NOT NULL
   ) STRICT;
   CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL;
   CREATE TABLE steps (
     run TEXT NOT NULL,
     id TEXT NOT NULL,
     doc BLOB NOT NULL,
     PRIMARY KEY (run, id)
   ) STRICT;
   CREATE TABLE waits (
     run TEXT NOT NULL,
     id TEXT NOT NULL,
     resume_at INTEGER,
     doc BLOB NOT NULL,
     PRIMARY KEY (run, id)
   ) STRICT;
   CREATE INDEX waits_due ON waits (resume_at) WHERE resume_at IS NOT NULL;
   CREATE TABLE hooks (
     id TEXT PRIMARY KEY,
     run TEXT NOT NULL,
     token TEXT NOT NULL UNIQUE,
     doc BLOB NOT NULL
   ) STRICT;
   CREATE INDEX hooks_of_run ON hooks (run);
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     run TEXT NOT NULL,
     id TEXT NOT NULL,
     correlation TEXT,
     doc BLOB NOT NULL
   ) STRICT;
   CREATE INDEX events_of_run ON events (run, seq);
   CREATE INDEX events_by_correlation ON events (correlation, seq) WHERE correlation IS NOT NULL;
   CREATE TABLE queue (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     run TEXT,
     key TEXT UNIQUE,
     ready INTEGER NOT NULL,
     lease TEXT,
     failures INTEGER NOT NULL DEFAULT 0,
     body BLOB NOT NULL
   ) STRICT;
   CREATE INDEX queue_ready ON queue (kind, ready, id);
   CREATE INDEX queue_of_run ON queue (run);
   CREATE TABLE chunks (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     stream TEXT NOT NULL,
     run TEXT NOT NULL,
     closes INTEGER NOT NULL,
     data BLOB NOT NULL
   ) STRICT;
   CREATE INDEX chunks_of_stream ON chunks (stream, seq);
   CREATE INDEX chunks_of_run ON chunks (run);
   CREATE TABLE tasks (
     id TEXT PRIMARY KEY,
     template TEXT NOT NULL,
     run TEXT NOT NULL UNIQUE,
     firings INTEGER NOT NULL,
     delivered INTEGER NOT NULL DEFAULT 0,
     outcome TEXT,
     stop INTEGER NOT NULL DEFAULT 0,
     ended INTEGER,
     told INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX tasks_open ON tasks (id) WHERE ended IS NULL;
   CREATE INDEX tasks_ended ON tasks (ended) WHERE ended IS NOT NULL;
   CREATE INDEX tasks_untold ON tasks (id) WHERE ended IS NOT NULL AND told = 0;
   CREATE TABLE firings (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     task TEXT NOT NULL,
     id TEXT NOT NULL,
     state TEXT NOT NULL,
     at INTEGER NOT NULL,
     payload BLOB NOT NULL,
     UNIQUE (task, id)
   ) STRICT;
   CREATE INDEX firings_by_state ON firings (task, state, seq);
   CREATE INDEX firings_done ON firings (at) WHERE state = 'done';
   CREATE TABLE answers (
     approval TEXT PRIMARY KEY,
     at INTEGER NOT NULL,
     delivered INTEGER NOT NULL,
     payload BLOB NOT NULL
   ) STRICT;
   CREATE INDEX answers_at ON answers (at);`,
];

/** Brings a database to this program's version. Throws `world_foreign` or `world_too_new`, changing nothing. */
export function migrate(db: Database, path: string): void {
  const version = db.pragma("user_version");
  const tables = db.sql("SELECT count(*) AS count FROM sqlite_schema").get()?.["count"];
  if (tables !== 0 && db.pragma("application_id") !== APPLICATION_ID)
    throw new WorldError("world_foreign", `${path} is not a workflow database of Deputy's`, {
      hint: "Move it away; Deputy then makes a new one.",
    });
  if (version > migrations.length)
    throw new WorldError(
      "world_too_new",
      `${path} has version ${version}; this Deputy knows versions up to ${migrations.length}`,
      { hint: "Nothing was changed. Use the newer Deputy." },
    );
  migrateDatabase(db, APPLICATION_ID, migrations);
}
