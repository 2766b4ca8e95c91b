import type { Database } from "@deputy/sqlite";
import { numberIn } from "./read-row.ts";

export interface IndexCounts {
  readonly chunks: number;
  /** Terms of all pieces together. */
  readonly terms: number;
  /** Different small pieces, and those of them with a vector of the model. */
  readonly children: number;
  readonly embedded: number;
}

/**
 * How much there is. Counting a large index takes longer than searching it, so it is counted once, and every change
 * says what it changes.
 */
export interface KeptCounts {
  read(model: string | undefined): IndexCounts;
  /** Call before a piece is added with these small pieces. */
  addChunk(terms: number, hashes: readonly string[]): void;
  /** Call after a piece was removed with these small pieces. */
  removeChunk(terms: number, hashes: readonly string[]): void;
  /** Call before a vector of this text is added. */
  addVector(model: string, hash: string): void;
  /** Call if the above was not possible: the next read counts again. */
  reload(): void;
}

export function createKeptCounts(db: Database): KeptCounts {
  /** Changes when another process has changed the database. */
  let version = 0;
  let kept: { chunks: number; terms: number; children: number } | undefined;
  let ofModel: { readonly model: string; embedded: number } | undefined;

  const isUsed = (hash: string): boolean =>
    db.sql("SELECT 1 FROM children WHERE hash = ? LIMIT 1").get(hash) !== undefined;
  const hasVector = (model: string, hash: string): boolean =>
    db.sql("SELECT 1 FROM vectors WHERE model = ? AND hash = ?").get(model, hash) !== undefined;
  const change = (hash: string, by: 1 | -1): void => {
    if (kept !== undefined) kept.children += by;
    if (ofModel !== undefined && hasVector(ofModel.model, hash)) ofModel.embedded += by;
  };
  const countAll = (): NonNullable<typeof kept> => {
    const row = db
      .sql(
        `SELECT count(*) AS chunks, total(term_count) AS terms,
           (SELECT count(DISTINCT hash) FROM children) AS children FROM chunks`,
      )
      .get();
    return {
      chunks: numberIn(row, "chunks"),
      terms: numberIn(row, "terms"),
      children: numberIn(row, "children"),
    };
  };
  const countEmbedded = (model: string): number =>
    numberIn(
      db
        .sql("SELECT count(*) AS n FROM vectors WHERE model = ? AND hash IN (SELECT hash FROM children)")
        .get(model),
      "n",
    );

  return {
    read(model) {
      const current = db.pragma("data_version");
      if (version !== current) [kept, ofModel, version] = [undefined, undefined, current];
      kept ??= countAll();
      if (model === undefined) return { ...kept, embedded: 0 };
      if (ofModel?.model !== model) ofModel = { model, embedded: countEmbedded(model) };
      return { ...kept, embedded: ofModel.embedded };
    },
    addChunk(terms, hashes) {
      if (kept === undefined) return;
      kept.chunks++;
      kept.terms += terms;
      for (const hash of new Set(hashes)) if (!isUsed(hash)) change(hash, 1);
    },
    removeChunk(terms, hashes) {
      if (kept === undefined) return;
      kept.chunks--;
      kept.terms -= terms;
      for (const hash of new Set(hashes)) if (!isUsed(hash)) change(hash, -1);
    },
    addVector(model, hash) {
      if (ofModel?.model === model && !hasVector(model, hash) && isUsed(hash)) ofModel.embedded++;
    },
    reload() {
      kept = undefined;
      ofModel = undefined;
    },
  };
}
