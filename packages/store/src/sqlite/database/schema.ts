import type { IndexedEventType } from "@deputy/protocol";
import { type Database, migrateDatabase, openDatabase } from "@deputy/sqlite";
import { StoreError } from "../store-error.ts";

/** "DPTY": tells a Deputy database from any other SQLite file. */
export const APPLICATION_ID = 0x44505459;

/**
 * The number of each type in the index of indexed events. Numbers never change. A missing type does not
 * compile. Adding a type that was written before needs a migration that numbers those rows.
 */
const indexedEventNumbers: Record<IndexedEventType, number> = {
  "session.started": 1,
  "turn.started": 2,
  "turn.completed": 3,
  "turn.failed": 4,
  "turn.aborted": 5,
  "approval.requested": 6,
  "approval.resolved": 7,
  "grant.created": 8,
  "grant.revoked": 9,
  "task.created": 10,
  "task.cancelled": 11,
  "task.completed": 12,
  "hook.received": 13,
  "task.scheduled": 14,
  "task.fired": 15,
  "task.skipped": 16,
  "outbox.queued": 17,
  "outbox.sent": 18,
  "outbox.failed": 19,
  "cron.added": 20,
  "cron.updated": 21,
  "cron.removed": 22,
  "cron.fired": 23,
  "cron.skipped": 24,
  "system.noted": 25,
  "heartbeat.began": 26,
  "heartbeat.skipped": 27,
  "heartbeat.ended": 28,
  "session.updated": 29,
  "memory.written": 30,
  "memory.applied": 31,
  "memory.forgetting": 32,
  "memory.forgotten": 33,
  "task.paused": 34,
  "task.resumed": 35,
  "task.edited": 36,
  "heartbeat.paused": 37,
  "heartbeat.resumed": 38,
  "channel.code": 39,
  "channel.paired": 40,
  "channel.unpaired": 41,
  "channel.posting": 42,
  "channel.posted": 43,
  "channel.shown": 44,
  "channel.home": 45,
  "channel.again": 46,
  "outbox.held": 47,
  "outbox.released": 48,
};
const numberOf: ReadonlyMap<string, number> = new Map(Object.entries(indexedEventNumbers));

/** Null for the types that are not looked up across streams. */
export function indexedEventNumber(type: string): number | null {
  return numberOf.get(type) ?? null;
}

/** The same in SQL, for the value of a column. */
export function indexedEventCase(column: string): string {
  const cases = Object.entries(indexedEventNumbers).map(([type, number]) => `WHEN '${type}' THEN ${number}`);
  return `CASE ${column} ${cases.join(" ")} END`;
}

/**
 * 2048 positions make a chapter. Events are indexed by chapter, stream and seq: an index by stream
 * and seq alone would touch one page per stream in every transaction, and halve what a busy log can take.
 */
export const CHAPTER_BITS = 11;

/** Matches rows that end a turn, as their index does. */
export const TURN_ENDS = "landmark IN (3, 4, 5)";

/** Migration n brings a database from version n to n + 1. Released ones never change. */
const migrations: readonly string[] = [
  `CREATE TABLE streams (
     id INTEGER PRIMARY KEY,
     stream TEXT NOT NULL UNIQUE,
     head_seq INTEGER NOT NULL,
     head_hash TEXT NOT NULL,
     schema_version INTEGER NOT NULL,
     first_position INTEGER NOT NULL,
     head_position INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE events (
     position INTEGER PRIMARY KEY,
     stream_id INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     id TEXT NOT NULL,
     at TEXT NOT NULL,
     type TEXT NOT NULL,
     landmark INTEGER,
     turn_id TEXT,
     payload_hash TEXT NOT NULL,
     prev TEXT NOT NULL,
     salt TEXT,
     payload TEXT
   ) STRICT;
   CREATE UNIQUE INDEX events_of_stream ON events (position >> ${CHAPTER_BITS}, stream_id, seq);
   CREATE INDEX landmarks ON events (landmark, position) WHERE landmark IS NOT NULL;
   CREATE TABLE journal (
     entry INTEGER PRIMARY KEY,
     cell_id TEXT NOT NULL,
     ordinal INTEGER NOT NULL,
     kind TEXT NOT NULL,
     nonce BLOB NOT NULL,
     sealed BLOB NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX journal_of_cell ON journal (cell_id, ordinal);
   CREATE TABLE repaired_gaps (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
   CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  `CREATE INDEX turn_ends ON events (turn_id) WHERE landmark IN (3, 4, 5);`,
];

/** The version this program writes. */
export const DATABASE_VERSION = migrations.length;

/** Throws `database_too_new` or `foreign_database`; changes nothing. */
export function assertOurs(db: Database, path: string): void {
  const version = db.pragma("user_version");
  if (db.pragma("application_id") !== APPLICATION_ID) {
    throw new StoreError("foreign_database", `${path} is not a Deputy database`, {
      hint: "Move it away, or choose another home with --home.",
    });
  }
  if (version > DATABASE_VERSION) {
    throw new StoreError(
      "database_too_new",
      `${path} has version ${version}; this Deputy knows versions up to ${DATABASE_VERSION}`,
      { hint: "Nothing was changed. Use the newer Deputy, or another home with --home." },
    );
  }
}

/** Brings a database to this program's version, each step in a transaction of its own. Idempotent. */
export function migrate(db: Database, target = DATABASE_VERSION): void {
  migrateDatabase(db, APPLICATION_ID, migrations.slice(0, Math.max(target, 0)));
}

/** True if tables and indexes are exactly those of the version that the database claims. */
export function schemaHolds(db: Database): boolean {
  using fresh = openDatabase(":memory:");
  migrate(fresh, db.pragma("user_version"));
  return describeSchema(fresh) === describeSchema(db);
}

function describeSchema(db: Database): string {
  return JSON.stringify(db.sql("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all());
}

export function databaseBytes(db: Database): number {
  return db.pragma("page_count") * db.pragma("page_size");
}
