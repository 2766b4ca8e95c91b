import { closeSync, openSync, rmSync } from "node:fs";
import { type Database, openDatabase, sqliteFailureOf } from "@deputy/sqlite";
import type { VectorCache } from "../meaning-search.ts";

/** More than any catalogue has. Beyond that the oldest go. */
const MOST_KEPT = 50_000;

/**
 * The vectors of tools in a file that only its owner can read. Those of other models are removed. Opened at the first
 * use; a file that is damaged is begun anew, and without a usable file nothing is kept.
 */
export function openVectorFile(path: string, model: string): VectorCache & Disposable {
  let db: Database | undefined;
  const begin = (): Database => {
    closeSync(openSync(path, "a", 0o600));
    const opened = openDatabase(path, { timeoutMs: 1_000 });
    try {
      opened.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, model TEXT NOT NULL, hash TEXT NOT NULL,
          vector BLOB NOT NULL, UNIQUE (model, hash))`);
      opened.sql("DELETE FROM vectors WHERE model <> ?").run(model);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  };
  const attempt = <T>(work: (opened: Database) => T, otherwise: T): T => {
    try {
      return work((db ??= begin()));
    } catch (error) {
      db?.close();
      db = undefined;
      const isDamaged = sqliteFailureOf(error) === "damaged";
      for (const suffix of isDamaged ? ["", "-wal", "-shm"] : []) rmSync(`${path}${suffix}`, { force: true });
      return otherwise;
    }
  };
  return {
    load: () =>
      attempt((opened) => {
        const rows = opened.sql("SELECT hash, vector FROM vectors WHERE model = ?").all(model);
        return rows.flatMap(({ hash, vector }) =>
          typeof hash === "string" && vector instanceof Uint8Array
            ? [[hash, new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength)] as const]
            : [],
        );
      }, []),
    add: (entries) =>
      attempt((opened) => {
        const insert = opened.sql("INSERT OR IGNORE INTO vectors (model, hash, vector) VALUES (?, ?, ?)");
        for (const [hash, vector] of entries)
          insert.run(model, hash, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
        opened.sql("DELETE FROM vectors WHERE id <= (SELECT max(id) FROM vectors) - ?").run(MOST_KEPT);
      }, undefined),
    [Symbol.dispose]() {
      db?.close();
      db = undefined;
    },
  };
}
