import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export type SqlValue = SQLInputValue;
export type Row = Record<string, SQLOutputValue>;

/** Each call has run to its end when it returns, so that one statement can serve everybody. */
export type Statement = Pick<StatementSync, "get" | "all" | "run">;

/** One connection. What SQLite refuses is thrown as it is: `sqliteFailureOf` tells the kind. */
export interface Database extends Disposable {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  /** A prepared statement, kept. Not for settings (`pragma`), whose value may be the one at its preparation. */
  sql(text: string): Statement;
  /** The rows one by one, from a statement of its own. */
  iterate(text: string, ...values: SqlValue[]): IterableIterator<Row>;
  /** Any number of statements, without values and without results. */
  exec(text: string): void;
  /** A setting that is a number; 0 when there is none of this name. */
  pragma(name: string): number;
  /** Idempotent. */
  close(): void;
}

/** More texts than a program has; those that are made up on the way must not pile up. */
const KEPT_STATEMENTS = 512;

/**
 * `writing` creates a file that is missing. `reading` can change nothing, and leaves the write-ahead log alone when it
 * closes. `immutable` is for a file that nobody writes: it reads no write-ahead log and makes no files beside it.
 */
export function openDatabase(
  path: string,
  options: {
    readonly mode?: "writing" | "reading" | "immutable";
    /** How long one statement waits for a lock that somebody else holds; not at all unless told. */
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
      const statement = db.prepare(text);
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

function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}
