import type { Database } from "@deputy/sqlite";
import { databaseBytes } from "../sqlite/database/schema.ts";
import { attempt } from "./damaged-rows.ts";
import { SNAPSHOT_PREFIX } from "../sqlite/rows/snapshot-table.ts";

/** The smallest size of an entry. */
const LEAST_ENTRY_BYTES = 50;

/**
 * Copies the entries of every cell whose journal is complete; with an incomplete one a cell would repeat
 * itself.
 */
export function copyJournal(damaged: Database, target: Database): void {
  const at = attempt(() => damaged.sql("SELECT * FROM journal WHERE entry = ?"));
  const stated = attempt(() => Number(damaged.sql("SELECT max(entry) AS last FROM journal").get()?.["last"]));
  const possible = (attempt(() => databaseBytes(damaged)) ?? 0) / LEAST_ENTRY_BYTES;
  const last = Math.min(stated ?? 0, possible);
  const insert = target.sql("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)");
  target.exec("BEGIN");
  for (let entry = 1; entry <= last; entry++) {
    attempt(() => {
      const found = at?.get(entry) ?? {};
      const { cell_id: cell = null, ordinal = null, kind = null, nonce = null, sealed = null } = found;
      if (cell !== null) insert.run(entry, cell, ordinal, kind, nonce, sealed);
    });
  }
  target.exec(`DELETE FROM journal WHERE cell_id IN
      (SELECT cell_id FROM journal GROUP BY cell_id HAVING max(ordinal) + 1 != count(*));
    COMMIT`);
  const facts = attempt(() => damaged.sql("SELECT * FROM facts").all()) ?? [];
  for (const { name = null, value = null } of facts) {
    // Snapshots of views may hold events that were lost.
    if (String(name).startsWith(SNAPSHOT_PREFIX)) continue;
    attempt(() => target.sql("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(name, value));
  }
}
