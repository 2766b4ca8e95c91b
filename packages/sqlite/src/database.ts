import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export type SqlValue = SQLInputValue;
export type Row = Record<string, SQLOutputValue>;

/** Each call has finished when it returns, so that all callers can share one statement. */
export type Statement = Pick<StatementSync, "get" | "all" | "run">;

/** One connection. Throws SQLite's errors unchanged: `sqliteFailureOf` tells their kind. */
export interface Database extends Disposable {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  /** A prepared statement, cached. Not for settings (`pragma`), which may return their value at preparation. */
  sql(text: string): Statement;
  /** The rows one by one, from a separate statement. */
  iterate(text: string, ...values: SqlValue[]): IterableIterator<Row>;
  /** Any number of statements, without values and without results. */
  exec(text: string): void;
  /** A numeric setting; 0 if there is none of this name. */
  pragma(name: string): number;
  /** Idempotent. */
  close(): void;
}

/** More statements than a program has; it only keeps generated ones from piling up. */
const KEPT_STATEMENTS = 512;

/**
 * `writing` creates a file that is missing. `reading` can change nothing, and leaves the write-ahead log alone when it
 * closes. `immutable` is for a file that nobody writes: it reads no write-ahead log and makes no files beside it.
 */
export function openDatabase(
  path: string,
  options: {
    readonly mode?: "writing" | "reading" | "immutable";
    /** How long one statement waits for a lock that another process holds; by default not at all. */
    readonly timeoutMs?: number;
  } = {},
): Database {
  const { mode = "writing", timeoutMs = 0 } = options;
  const db = new DatabaseSync(mode === "immutable" ? immutableUrl(path) : path, {
    readOnly: mode !== "writing",
    timeout: timeoutMs,
  });
  const statements = new Map<string, Statement>();
  const close = (): void => {
    statements.clear();
    if (db.isOpen) db.close();
  };

  return {
    get isOpen() {
      return db.isOpen;
    },
    get isTransaction() {
      return db.isTransaction;
    },
    sql(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = db.prepare(withPlannedLimits(text));
      if (statements.size >= KEPT_STATEMENTS) statements.clear();
      statements.set(text, statement);
      return statement;
    },
    iterate: (text, ...values) => db.prepare(text).iterate(...values),
    exec: (text) => db.exec(text),
    pragma(name) {
      const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
      return typeof value === "number" ? value : 0;
    },
    close,
    [Symbol.dispose]: close,
  };
}

/**
 * SQLite plans a statement anew each time a value is bound to a bare parameter of LIMIT, which takes ten times as long as
 * most reads. It does not for an expression.
 */
export function withPlannedLimits(text: string): string {
  return text.replaceAll(/\bLIMIT \?/g, "LIMIT +?");
}

function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

/**
 * Runs the migrations that a database has not had yet, each in a transaction of its own; the n-th brings it from
 * version n to n + 1. Idempotent. Leaves a newer database as it is.
 */
export function migrateDatabase(db: Database, applicationId: number, migrations: readonly string[]): void {
  for (let version = db.pragma("user_version"); version < migrations.length; version++)
    db.exec(`BEGIN IMMEDIATE;
      ${migrations[version] ?? ""};
      PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${version + 1};
      COMMIT;`);
}

/** What went wrong inside SQLite, by its primary result code. */
export type SqliteFailure = "busy" | "refused" | "full" | "damaged" | "constraint" | "other";

const KINDS: ReadonlyMap<number, SqliteFailure> = new Map([
  [5, "busy"],
  [6, "busy"],
  [10, "refused"],
  [11, "damaged"],
  [13, "full"],
  [19, "constraint"],
  [26, "damaged"],
]);

/** The failure behind an error thrown by `node:sqlite`; undefined for any other error. */
export function sqliteFailureOf(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") {
    return undefined;
  }
  return KINDS.get(error.errcode & 0xff) ?? "other";
}

/**
 * `full`: COMMIT returns once the data is on disk. `relaxed`: once the system has it; a later `full` covers
 * it too.
 */
export type Durability = "full" | "relaxed";

/** One write transaction at a time on a connection. */
export interface Transaction {
  /** `none`: without any sync, for data that need not outlive the next sync. */
  begin(durability: Durability | "none"): void;
  commit(): void;
  /** Never throws; does nothing when SQLite has already rolled back. */
  rollback(): void;
}

const SYNCHRONOUS = { full: "FULL", relaxed: "NORMAL", none: "OFF" } as const;

/** Nothing else may set `synchronous` on this connection. */
export function createTransaction(db: Database): Transaction {
  const begin = db.sql("BEGIN IMMEDIATE");
  const commit = db.sql("COMMIT");
  let current: Durability | "none" | undefined;

  return {
    begin(durability) {
      if (durability !== current) {
        db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`);
        current = durability;
      }
      begin.run();
    },
    commit: () => void commit.run(),
    rollback() {
      try {
        if (db.isTransaction) db.exec("ROLLBACK");
      } catch {
        // The failure that led here is the one to report.
      }
    },
  };
}
