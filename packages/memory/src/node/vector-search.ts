import type { Database, Row } from "@deputy/sqlite";
import type { Scored } from "../search/fuse.ts";
import { COMPARED } from "../store/memory-store.ts";
import { createSignIndex, type SignIndex } from "../store/sign-index.ts";
import { dotPacked, signsOfPacked } from "../store/vector-code.ts";

/**
 * Finds pieces by their vectors in the database. It keeps the signs of all vectors in memory, from the first search
 * on, and compares those that look nearest exactly.
 */
export interface VectorSearch {
  /** The pieces nearest to `vector`, the nearest first. */
  nearest(model: string, vector: Float32Array, scopes: readonly string[]): readonly Scored[];
  /** Call before a piece is removed. */
  removeChunk(chunk: number): void;
  /** Call after vectors were added. */
  addVectors(model: string, hashes: readonly string[]): void;
  /** Call after pieces were added: their vectors may be known already. */
  addMissing(): void;
  /** Call if the above was not possible. */
  reload(): void;
}

export function createVectorSearch(db: Database): VectorSearch {
  /** Changes when another process has changed the database. */
  let version = 0;
  let loaded:
    | { readonly model: string; readonly byScope: Map<string, SignIndex>; lastChild: number }
    | undefined;

  const add = (row: Row): void => {
    const { id, scope, vector } = row;
    if (loaded === undefined || typeof id !== "number" || !(vector instanceof Uint8Array)) return;
    const name = String(scope);
    const index = loaded.byScope.get(name) ?? createSignIndex(vector.length - 4);
    loaded.byScope.set(name, index);
    index.put(id, signsOfPacked(vector));
  };
  const addNew = (): void => {
    if (loaded === undefined) return;
    const { model, lastChild } = loaded;
    for (const row of db.iterate(`${SELECT_VECTOR} WHERE children.id > ? AND model = ?`, lastChild, model))
      add(row);
    loaded.lastChild = Number(db.sql("SELECT max(id) AS id FROM children").get()?.["id"] ?? 0);
  };
  const load = (model: string): Map<string, SignIndex> => {
    const current = db.pragma("data_version");
    if (loaded?.model === model && version === current) return loaded.byScope;
    version = current;
    loaded = { model, byScope: new Map(), lastChild: 0 };
    addNew();
    return loaded.byScope;
  };

  return {
    nearest(model, vector, scopes) {
      const byScope = load(model);
      const exact = db.sql(
        "SELECT chunk, vector FROM children JOIN vectors ON vectors.hash = children.hash WHERE id = ? AND model = ?",
      );
      const best = new Map<number, number>();
      for (const scope of scopes)
        for (const id of byScope.get(scope)?.nearest(vector, COMPARED) ?? []) {
          const { chunk, vector: packed } = exact.get(id, model) ?? {};
          if (typeof chunk !== "number" || !(packed instanceof Uint8Array)) continue;
          if (packed.length !== vector.length + 4) continue;
          best.set(chunk, Math.max(best.get(chunk) ?? -1, dotPacked(packed, vector)));
        }
      return [...best].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
    },
    removeChunk(chunk) {
      if (loaded === undefined) return;
      for (const { id } of db.sql("SELECT id FROM children WHERE chunk = ?").all(chunk))
        for (const index of loaded.byScope.values()) index.remove(Number(id));
    },
    addVectors(model, hashes) {
      if (loaded?.model !== model) return;
      const ofHash = db.sql(`${SELECT_VECTOR} WHERE children.hash = ? AND model = ?`);
      for (const hash of hashes) for (const row of ofHash.all(hash, model)) add(row);
    },
    addMissing: addNew,
    reload() {
      loaded = undefined;
    },
  };
}

// CROSS JOIN keeps the order: SQLite would look through all vectors of a model first.
const SELECT_VECTOR = `SELECT children.id, children.chunk, documents.scope, vectors.vector
  FROM children CROSS JOIN vectors ON vectors.hash = children.hash
  JOIN chunks ON chunks.id = children.chunk JOIN documents ON documents.id = chunks.document`;
