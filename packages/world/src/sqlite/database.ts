import { deserialize, serialize } from "node:v8";
import { closeSync, openSync } from "node:fs";
import {
  createTransaction,
  type Database,
  type Durability,
  openDatabase,
  sqliteFailureOf,
  type Statement,
} from "@deputy/sqlite";
import { WorldError } from "../world-error.ts";
import { migrate } from "./schema.ts";

/** Called with `before <name>` and `after <name>` around the commit of each transaction that writes. */
export type Failpoint = (name: string) => void;

/** One connection, one transaction at a time. Everything here is synchronous. */
export interface WorldDatabase {
  /** A prepared statement, cached. */
  sql(text: string): Statement;
  /**
   * Runs `work` in a transaction, or in the one that is already open; then that one's name and durability
   * apply. What `work` throws rolls everything back. Throws `world_full`, or `world_failed` for good.
   */
  write<T>(name: string, durability: Durability, work: () => T): T;
  /** Inside `write`: runs after the commit, in order; dropped if it is rolled back. Must not throw. */
  afterCommit(action: () => void): void;
  /** Idempotent. Everything afterwards is `world_closed`. */
  close(): void;
}

const BUSY_MS = 5_000;

export function openWorldDatabase(options: {
  readonly path: string;
  readonly failpoint: Failpoint;
  /** Called once when it has failed for good and must be closed and reopened. Must not throw. */
  readonly onFailed?: ((error: WorldError) => void) | undefined;
}): WorldDatabase {
  const db = open(options.path);
  const transaction = createTransaction(db);
  const actions: (() => void)[] = [];
  let refusal: WorldError | undefined;
  let isOpen = false;

  const assertUsable = (): void => {
    if (refusal !== undefined) throw refusal;
  };

  return {
    sql(text) {
      assertUsable();
      return db.sql(text);
    },
    write(name, durability, work) {
      assertUsable();
      if (isOpen) return work();
      isOpen = true;
      try {
        transaction.begin(durability);
        const value = work();
        options.failpoint(`before ${name}`);
        assertUsable();
        transaction.commit();
        options.failpoint(`after ${name}`);
        return value;
      } catch (cause) {
        actions.length = 0;
        transaction.rollback();
        const failure = failureOf(cause);
        if (failure?.code === "world_failed") {
          refusal = failure;
          options.onFailed?.(failure);
        }
        throw failure ?? cause;
      } finally {
        isOpen = false;
        for (const action of actions.splice(0)) action();
      }
    },
    afterCommit: (action) => void actions.push(action),
    close() {
      refusal ??= new WorldError("world_closed", "The workflows are closed");
      db.close();
    },
  };
}

function open(path: string): Database {
  let db: Database | undefined;
  try {
    closeSync(openSync(path, "a", 0o600));
    db = openDatabase(path, { timeoutMs: BUSY_MS });
    db.exec("PRAGMA journal_mode = WAL; PRAGMA trusted_schema = OFF;");
    migrate(db, path);
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof WorldError) throw cause;
    throw new WorldError("world_unusable", `${path} cannot be used`, { cause });
  }
}

/** Undefined for errors that are not about the disk. After a failed sync, it is unknown what the disk has. */
function failureOf(cause: unknown): WorldError | undefined {
  const kind = sqliteFailureOf(cause);
  if (kind === undefined || kind === "busy" || kind === "constraint") return undefined;
  return kind === "full"
    ? new WorldError("world_full", "The disk is full; nothing of this was written", { cause })
    : new WorldError("world_failed", "The disk refused a write; whether it was kept is unknown", {
        cause,
        hint: "Check the disk. A daemon reopens the file and continues by itself.",
      });
}

/** How entities and events are stored: dates, bytes and `undefined` come back unchanged. */
export function encode(value: unknown): Uint8Array {
  return serialize(value);
}

/** The `doc` of a row that `encode` wrote. */
export function decode(row: Record<string, unknown>, column = "doc"): unknown {
  return deserialize(row[column] as Uint8Array);
}
