import type { Database } from "@deputy/sqlite";
import type { Scored } from "../search/fuse.ts";
import { COMPARED } from "../store/memory-store.ts";
import { createSignIndex, type SignIndex } from "../store/sign-index.ts";
import { dotPacked, signsOfPacked } from "../store/vector-code.ts";
import { numberIn, textIn } from "./read-row.ts";

/**
 * Finds pieces by their vectors in the database. The signs of all vectors are in memory, from the first search on; those
 * that look nearest are compared exactly.
 */
export interface VectorSearch {
  /** The pieces nearest to `vector`, the nearest first. */
  nearest(model: string, vector: Float32Array, scopes: readonly string[]): readonly Scored[];
  /** Call before a piece is removed. */
  removeChunk(chunk: number): void;
  /** Call after vectors were added. */
  addVectors(model: string, hashes: Iterable<string>): void;
  /** Call after a small piece was added: its vectors may be known already. */
  addChild(child: number, hash: string): void;
  /** Call after vectors of other models were removed. */
  prune(model: string): void;
  /** Call if a change was undone. */
  reload(): void;
}

/** So many rows are read in one go: a row has more overhead than what is in it. */
const ROWS_AT_ONCE = 4_096;

export function createVectorSearch(db: Database): VectorSearch {
  /** Changes when another process has changed the database. */
  let version = 0;
  let loaded: { readonly model: string; readonly byScope: Map<string, SignIndex> } | undefined;

  const indexOf = (scope: string, words: number): SignIndex | undefined => {
    if (loaded === undefined) return undefined;
    const index = loaded.byScope.get(scope) ?? createSignIndex(words * 32);
    loaded.byScope.set(scope, index);
    return index;
  };
  const put = (model: string, child: number, scope: string, packed: Uint8Array): void => {
    const signs = signsOfPacked(packed);
    db.sql("INSERT OR REPLACE INTO signs (model, child, scope, signs) VALUES (?, ?, ?, ?)").run(
      model,
      child,
      scope,
      new Uint8Array(signs.buffer),
    );
    if (loaded?.model === model) indexOf(scope, signs.length)?.put(child, signs);
  };
  const load = (model: string): Map<string, SignIndex> => {
    const current = db.pragma("data_version");
    if (loaded?.model === model && version === current) return loaded.byScope;
    version = current;
    loaded = { model, byScope: new Map() };
    const scopes = db.sql("SELECT DISTINCT scope FROM documents").all();
    for (const scope of scopes.map((row) => textIn(row, "scope")))
      for (let last = 0; ;) {
        const block = db.sql(SELECT_BLOCK).get(model, last, scope, ROWS_AT_ONCE);
        const ids = textIn(block, "ids");
        if (ids === "") break;
        const children = ids.split(",").map(Number);
        const bytes = Buffer.from(textIn(block, "signs"), "hex");
        const signs = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
        const width = signs.length / children.length;
        const index = indexOf(scope, width);
        for (const [at, child] of children.entries())
          index?.put(child, signs.subarray(at * width, (at + 1) * width));
        last = children.at(-1) ?? Infinity;
      }
    return loaded.byScope;
  };

  return {
    nearest(model, vector, scopes) {
      const byScope = load(model);
      const ids = scopes.flatMap((scope) => byScope.get(scope)?.nearest(vector, COMPARED) ?? []);
      const best = new Map<number, number>();
      for (const row of db.sql(SELECT_EXACT).all(JSON.stringify(ids), model)) {
        const { chunk, vector: packed } = row;
        if (typeof chunk !== "number" || !(packed instanceof Uint8Array)) continue;
        if (packed.length !== vector.length + 4) continue;
        best.set(chunk, Math.max(best.get(chunk) ?? -1, dotPacked(packed, vector)));
      }
      return [...best].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
    },
    removeChunk(chunk) {
      const models = namesOfModels(db, "signs");
      for (const { id } of db.sql("SELECT id FROM children WHERE chunk = ?").all(chunk)) {
        for (const model of models)
          db.sql("DELETE FROM signs WHERE model = ? AND child = ?").run(model, Number(id));
        if (loaded !== undefined) for (const index of loaded.byScope.values()) index.remove(Number(id));
      }
    },
    addVectors(model, hashes) {
      for (const hash of hashes)
        for (const row of db.sql(`${SELECT_VECTOR} WHERE children.hash = ? AND model = ?`).all(hash, model))
          if (row["vector"] instanceof Uint8Array)
            put(model, numberIn(row, "id"), textIn(row, "scope"), row["vector"]);
    },
    addChild(child, hash) {
      for (const model of namesOfModels(db, "vectors")) {
        const known = db.sql("SELECT vector FROM vectors WHERE model = ? AND hash = ?").get(model, hash);
        if (!(known?.["vector"] instanceof Uint8Array)) continue;
        const owner = db.sql(
          `SELECT scope FROM children JOIN chunks ON chunks.id = children.chunk
           JOIN documents ON documents.id = chunks.document WHERE children.id = ?`,
        );
        put(model, child, textIn(owner.get(child), "scope"), known["vector"]);
      }
    },
    prune(model) {
      db.sql("DELETE FROM signs WHERE model <> ?").run(model);
    },
    reload() {
      loaded = undefined;
    },
  };
}

/** Makes the signs of an index that has none yet: one from before they were kept. In one transaction. */
export function addMissingSigns(db: Database): void {
  const isEmpty = (table: string): boolean => db.sql(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined;
  if (!isEmpty("signs") || isEmpty("vectors")) return;
  const vectors = createVectorSearch(db);
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const model of namesOfModels(db, "vectors")) {
      const hashes = db.sql("SELECT hash FROM vectors WHERE model = ?").all(model);
      vectors.addVectors(
        model,
        hashes.map((row) => textIn(row, "hash")),
      );
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** There are one or two: looking for the next name is faster than going through all rows. */
function namesOfModels(db: Database, table: "vectors" | "signs"): readonly string[] {
  const names: string[] = [];
  for (let name = ""; ;) {
    const next = db.sql(`SELECT min(model) AS model FROM ${table} WHERE model > ?`).get(name)?.["model"];
    if (typeof next !== "string") return names;
    names.push((name = next));
  }
}

const SELECT_BLOCK = `SELECT group_concat(child, ',') AS ids, group_concat(hex(signs), '') AS signs FROM (
  SELECT child, signs FROM signs WHERE model = ? AND child > ? AND scope = ? ORDER BY child LIMIT ?)`;
const SELECT_EXACT = `SELECT chunk, vector FROM json_each(?) CROSS JOIN children ON children.id = json_each.value
  CROSS JOIN vectors ON vectors.hash = children.hash AND vectors.model = ?`;
// CROSS JOIN keeps the order: SQLite would look through all vectors of a model first.
const SELECT_VECTOR = `SELECT children.id, documents.scope, vectors.vector
  FROM children CROSS JOIN vectors ON vectors.hash = children.hash
  JOIN chunks ON chunks.id = children.chunk JOIN documents ON documents.id = chunks.document`;
