import type { Database } from "@deputy/sqlite";
import type { ChildRecord } from "../store/memory-store.ts";
import { numberIn, textIn } from "./read-row.ts";

/** What needs a vector, and which vectors nobody needs, without looking through the whole index each time. */
export interface EmbeddingBacklog {
  /** Small pieces without a vector of this model, the first ones first, each text once. */
  pending(model: string, limit: number): readonly ChildRecord[];
  /** Removes vectors of other models, and those of texts that no piece has. Says how much it had to look through. */
  prune(model: string): "what changed" | "everything";
  /** Call after pieces with these texts were removed. */
  noteRemoved(hashes: readonly string[]): void;
  /** Call after vectors were added: no piece may need them. */
  noteAdded(model: string, hashes: Iterable<string>): void;
  /** Call if a change was undone. */
  reload(): void;
}

export function createBacklog(db: Database): EmbeddingBacklog {
  /** Changes when another process has changed the database. */
  let version = 0;
  /** All small pieces up to this one have a vector of the model. */
  let done: { readonly model: string; readonly upTo: number } | undefined;
  /** Set once everything was pruned; after that, only texts that came and went are looked at. */
  let pruned: { readonly model: string; readonly removed: Set<string> } | undefined;

  const reload = (): void => {
    done = undefined;
    pruned = undefined;
  };
  const reloadIfChanged = (): void => {
    const current = db.pragma("data_version");
    if (version !== current) reload();
    version = current;
  };

  return {
    pending(model, limit) {
      reloadIfChanged();
      const from = done?.model === model ? done.upTo : 0;
      const rows = db
        .sql(
          `SELECT id, hash, text FROM children
           WHERE id > ? AND NOT EXISTS (SELECT 1 FROM vectors WHERE model = ? AND vectors.hash = children.hash)
           ORDER BY id LIMIT ?`,
        )
        .all(from, model, limit);
      const last = numberIn(db.sql("SELECT max(id) AS id FROM children").get(), "id");
      done = { model, upTo: rows.length === 0 ? last : numberIn(rows[0], "id") - 1 };
      const seen = new Set<string>();
      const isNew = (hash: string): boolean => !seen.has(hash) && seen.add(hash).has(hash);
      return rows
        .map((row) => ({ hash: textIn(row, "hash"), text: textIn(row, "text") }))
        .filter(({ hash }) => isNew(hash));
    },
    prune(model) {
      reloadIfChanged();
      if (pruned?.model === model) {
        const remove = db.sql(
          "DELETE FROM vectors WHERE model = ? AND hash = ? AND NOT EXISTS (SELECT 1 FROM children WHERE children.hash = vectors.hash)",
        );
        for (const hash of pruned.removed) remove.run(model, hash);
        pruned.removed.clear();
        return "what changed";
      }
      db.sql("DELETE FROM vectors WHERE model <> ?").run(model);
      db.sql("DELETE FROM vectors WHERE hash NOT IN (SELECT hash FROM children)").run();
      pruned = { model, removed: new Set() };
      if (done?.model !== model) done = undefined;
      return "everything";
    },
    noteRemoved(hashes) {
      for (const hash of hashes) pruned?.removed.add(hash);
    },
    noteAdded(model, hashes) {
      if (pruned?.model !== model) pruned = undefined;
      for (const hash of hashes) pruned?.removed.add(hash);
    },
    reload,
  };
}
