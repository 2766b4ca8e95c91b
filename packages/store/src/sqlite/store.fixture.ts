import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import type { NewEvent, StoredEvent, StreamId } from "@deputy/protocol";
import { onTestFinished } from "vitest";
import { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";
import type { SqliteStore } from "./sqlite-store.ts";

export interface Home {
  readonly directory: string;
  readonly ids: IdSource;
  path(name: string): string;
  bytes(name: string): Buffer;
  /** Opens the store; it is closed when the test ends. */
  open(options?: Partial<SqliteStoreOptions>): Promise<SqliteStore>;
  /** The arguments for a repair. */
  readonly deps: { readonly directory: string } & Pick<SqliteStoreOptions, "clock" | "ids">;
  /** Changes the database behind the store's back. */
  tamper(sql: string): void;
}

export function setUpHome(directory = mkdtempSync(join(tmpdir(), "store-"))): Home {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const deps = { directory, clock, ids };
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return {
    directory,
    ids,
    deps,
    path: (name) => join(directory, name),
    bytes: (name) => readFileSync(join(directory, name)),
    async open(options = {}) {
      const store = await openSqliteStore({ ...deps, ...options });
      onTestFinished(() => store.close());
      return store;
    },
    tamper(sql) {
      using db = new DatabaseSync(join(directory, "deputy.db"), { defensive: false });
      db.exec(sql);
    },
  };
}

/** The home as a killed process would leave it: files as they are, the lock free. */
export function copyHome(home: Home): Home {
  const directory = mkdtempSync(join(tmpdir(), "store-"));
  for (const name of ["deputy.db", "deputy.db-wal", "deputy.tail", "key"]) {
    if (existsSync(home.path(name))) cpSync(home.path(name), join(directory, name));
  }
  return setUpHome(directory);
}

export function message(text: string): NewEvent {
  return {
    type: "user.message",
    data: { text, attachments: [], channel: "web", sender: "ann", trust: "user" },
  };
}

export function messages(count: number, prefix = "m"): NewEvent[] {
  return Array.from({ length: count }, (_, n) => message(`${prefix}${n + 1}`));
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export async function textsOf(store: Pick<SqliteStore, "log">, stream: StreamId): Promise<string[]> {
  return (await all(store.log.read(stream))).map((event) => (event.data as { readonly text: string }).text);
}

export function only(events: readonly StoredEvent[]): StoredEvent {
  const [event] = events;
  if (event === undefined) throw new Error("no event");
  return event;
}
