import { createSlices } from "@deputy/kit";
import {
  createTransaction,
  type Database,
  migrateDatabase,
  openDatabase,
  type Row,
  sqliteFailureOf,
} from "@deputy/sqlite";
import { type DocumentKind, documentKinds } from "../document.ts";
import { MemoryError } from "../memory-error.ts";
import type { QueryTerm } from "../search/read-query.ts";
import type { Scored } from "../search/fuse.ts";
import { bm25, weighTerms } from "../store/bm25.ts";
import { chooseTerms } from "../store/choose-terms.ts";
import type {
  ChunkRecord,
  DocumentRecord,
  MemoryStore,
  StoreCounts,
  StoredChunk,
} from "../store/memory-store.ts";
import { packVector } from "../store/vector-code.ts";
import { termsOf } from "../text/words-of.ts";
import { createCommonTerms } from "./common-terms.ts";
import { createBacklog } from "./embedding-backlog.ts";
import { createKeptCounts } from "./index-counts.ts";
import { numberIn, textIn } from "./read-row.ts";
import { APPLICATION_ID, MIGRATIONS } from "./sqlite-schema.ts";
import { addMissingSigns, createVectorSearch } from "./vector-search.ts";

/** How many candidates are ranked for each result. */
const CANDIDATES_FOR_ONE = 2;

/** Rejects with `memory_unavailable` if the file cannot be used as it is. */
export async function openSqliteStore(path: string): Promise<MemoryStore> {
  return guarded(async () => {
    const db = openDatabase(path, { timeoutMs: 2_000 });
    try {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF");
      if (db.pragma("user_version") > MIGRATIONS.length) throw new Error("It is of a newer version");
      assertSchema(db);
      migrateDatabase(db, APPLICATION_ID, MIGRATIONS);
      addMissingSigns(db);
      return createSqliteStore(db);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Another schema than the one that its version has is damage: nobody but this file makes tables there. */
class WrongSchema extends Error {}

/** True if the file itself is at fault, so that only a new one helps. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof MemoryError)) return false;
  return error.cause instanceof WrongSchema || sqliteFailureOf(error.cause) === "damaged";
}

function assertSchema(db: Database): void {
  using right = openDatabase(":memory:");
  migrateDatabase(right, APPLICATION_ID, MIGRATIONS.slice(0, db.pragma("user_version")));
  const schemaOf = (of: Database): string =>
    JSON.stringify(of.sql("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all());
  if (schemaOf(db) !== schemaOf(right)) throw new WrongSchema("It has other tables");
}

async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError("memory_unavailable", "The index of the memory cannot be used", { cause });
  }
}

function createSqliteStore(db: Database): MemoryStore {
  const transaction = createTransaction(db);
  const vectors = createVectorSearch(db);
  const counts = createKeptCounts(db);
  const backlog = createBacklog(db);
  const common = createCommonTerms();
  /** The index can be made again, so a power cut may cost the last changes. */
  const change = (work: () => void): void => {
    transaction.begin("relaxed");
    try {
      work();
      transaction.commit();
    } catch (error) {
      transaction.rollback();
      vectors.reload();
      counts.reload();
      backlog.reload();
      throw error;
    }
  };
  const open = <T>(work: () => T | Promise<T>): Promise<T> => {
    if (!db.isOpen) throw new MemoryError("memory_closed", "The memory is closed");
    return guarded(work);
  };

  const removeChunk = (id: number): void => {
    vectors.removeChunk(id);
    const removed = db.sql("SELECT term_count FROM chunks WHERE id = ?").get(id);
    const hashes = db
      .sql("SELECT hash FROM children WHERE chunk = ?")
      .all(id)
      .map((row) => textIn(row, "hash"));
    db.sql("DELETE FROM words WHERE rowid = ?").run(id);
    db.sql("DELETE FROM children WHERE chunk = ?").run(id);
    db.sql("DELETE FROM chunks WHERE id = ?").run(id);
    counts.removeChunk(numberIn(removed, "term_count"), hashes);
    backlog.noteRemoved(hashes);
  };
  const insertChunk = (
    document: number,
    place: number,
    chunk: ChunkRecord,
    terms: readonly string[],
  ): void => {
    const { firstLine, lastLine, header, text, foreign } = chunk;
    counts.addChunk(
      terms.length,
      chunk.children.map(({ hash }) => hash),
    );
    const { lastInsertRowid } = db
      .sql(
        `INSERT INTO chunks (document, place, first_line, last_line, header, text, from_others, terms, term_count)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        document,
        place,
        firstLine,
        lastLine,
        header,
        text,
        JSON.stringify(foreign),
        terms.join(" "),
        terms.length,
      );
    const id = Number(lastInsertRowid);
    db.sql("INSERT INTO words (rowid, terms) VALUES (?, ?)").run(id, terms.join(" "));
    const insertChild = db.sql("INSERT INTO children (chunk, hash, text) VALUES (?, ?, ?)");
    for (const child of chunk.children)
      vectors.addChild(Number(insertChild.run(id, child.hash, child.text).lastInsertRowid), child.hash);
  };
  const documentId = (key: string): number | undefined => {
    const id = db.sql("SELECT id FROM documents WHERE key = ?").get(key)?.["id"];
    return typeof id === "number" ? id : undefined;
  };
  /** Equal pieces have several, in their order. */
  const idsByIdentity = (document: number): Map<string, number[]> => {
    const ids = new Map<string, number[]>();
    const select = "SELECT id, header, text, from_others FROM chunks WHERE document = ? ORDER BY place";
    for (const row of db.sql(select).all(document)) {
      const identity = identityOf(textIn(row, "header"), textIn(row, "text"), textIn(row, "from_others"));
      ids.set(identity, [...(ids.get(identity) ?? []), numberIn(row, "id")]);
    }
    return ids;
  };

  return {
    version: () => open(() => db.pragma("data_version")),

    documents: () =>
      open(() => {
        const rows = db.sql("SELECT * FROM documents ORDER BY id").all();
        return new Map(rows.map((row) => [textIn(row, "key"), toDocument(row)]));
      }),

    put: (document, chunks) =>
      open(async () => {
        const known = documentId(document.key);
        const before = known === undefined ? new Map<string, number[]>() : idsByIdentity(known);
        // The long work is done before the transaction, so that others can run meanwhile.
        const slices = createSlices();
        const added: {
          readonly chunk: ChunkRecord;
          readonly id: number | undefined;
          readonly terms: readonly string[];
        }[] = [];
        for (const chunk of chunks) {
          const identity = identityOf(chunk.header, chunk.text, JSON.stringify(chunk.foreign));
          const id = before.get(identity)?.shift();
          const terms = id === undefined ? termsOf(`${chunk.header}\n${chunk.text}`) : [];
          added.push({ chunk, id, terms });
          if (slices.isOver()) await slices.next();
        }
        change(() => {
          const owner = saveDocument(db, document);
          for (const id of [...before.values()].flat()) removeChunk(id);
          for (const [place, { chunk, id, terms }] of added.entries())
            if (id === undefined) insertChunk(owner, place, chunk, terms);
            else
              db.sql("UPDATE chunks SET place = ?, first_line = ?, last_line = ? WHERE id = ?").run(
                place,
                chunk.firstLine,
                chunk.lastLine,
                id,
              );
        });
      }),

    update: (documents) =>
      open(() =>
        change(() => {
          for (const document of documents)
            if (documentId(document.key) !== undefined) saveDocument(db, document);
        }),
      ),

    remove: (keys) =>
      open(() =>
        change(() => {
          for (const key of keys) {
            const id = documentId(key);
            if (id === undefined) continue;
            for (const chunkId of chunkIdsOf(db, id)) removeChunk(chunkId);
            db.sql("DELETE FROM documents WHERE id = ?").run(id);
          }
        }),
      ),

    pending: (model, limit) => open(() => backlog.pending(model, limit)),

    putVectors: (model, added) =>
      open(() => {
        change(() => {
          const insert = db.sql("INSERT OR REPLACE INTO vectors (model, hash, vector) VALUES (?, ?, ?)");
          for (const [hash, vector] of added) {
            counts.addVector(model, hash);
            insert.run(model, hash, packVector(vector));
          }
          vectors.addVectors(model, added.keys());
        });
        backlog.noteAdded(model, added.keys());
      }),

    prune: (model) =>
      open(() =>
        change(() => {
          if (backlog.prune(model) === "what changed") return;
          vectors.prune(model);
          counts.reload();
        }),
      ),

    byWords: (query, scopes, limit) =>
      open(() => {
        const { chunks: texts, terms: allTerms } = counts.read(undefined);
        const average = allTerms / Math.max(texts, 1);
        const count = db.sql("SELECT doc FROM word_counts WHERE term = ?");
        const counted = new Map<string, number>();
        const countOf = (term: string): number => {
          const known = counted.get(term) ?? numberIn(count.get(term), "doc");
          counted.set(term, known);
          return known;
        };
        const chosen = chooseTerms(query.terms, texts, (term) => common.countOf(term, texts, countOf));
        if (chosen.length === 0) return [];
        const wanted = weighTerms(chosen, texts, countOf);
        // SQLite's own BM25 finds candidates; they are then ranked by ours.
        const asked = JSON.stringify(scopes);
        const inScope = "documents.scope IN (SELECT value FROM json_each(?))";
        const isAll = db.sql(`SELECT 1 FROM documents WHERE NOT ${inScope} LIMIT 1`).get(asked) === undefined;
        const match = chosen.map(matchOf).join(" OR ");
        const most = limit * CANDIDATES_FOR_ONE;
        // Looking up the scope of every match costs more than the search itself, so it is done only if it matters.
        const candidates = isAll
          ? db.sql("SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?").all(match, most)
          : db
              .sql(
                `SELECT words.rowid AS id FROM words
                 JOIN chunks ON chunks.id = words.rowid JOIN documents ON documents.id = chunks.document
                 WHERE words MATCH ? AND ${inScope} ORDER BY rank LIMIT ?`,
              )
              .all(match, asked, most);
        const ids = candidates.map((row) => numberIn(row, "id"));
        return db
          .sql(SELECT_TERMS)
          .all(JSON.stringify(ids))
          .map((row): Scored => {
            const text = { terms: textIn(row, "terms"), count: numberIn(row, "term_count") };
            return { id: numberIn(row, "id"), score: bm25(text, wanted, average) };
          })
          .sort((a, b) => b.score - a.score || a.id - b.id)
          .slice(0, limit);
      }),

    byMeaning: (model, vector, scopes, limit) =>
      open(() => vectors.nearest(model, vector, scopes).slice(0, limit)),

    outlines: (ids) =>
      open(() =>
        db
          .sql(SELECT_OUTLINES)
          .all(JSON.stringify(ids))
          .map((row) => {
            const date = row["date"];
            const document = { kind: kindIn(row), ...(typeof date === "string" && { date }) };
            return { id: numberIn(row, "id"), header: textIn(row, "header"), document };
          }),
      ),

    chunks: (ids) =>
      open(() =>
        ids.flatMap((id) => {
          const row = db.sql(`${SELECT_CHUNK} WHERE chunks.id = ?`).get(id);
          return row === undefined ? [] : [toChunk(row)];
        }),
      ),

    chunksOf: (key) =>
      open(() => db.sql(`${SELECT_CHUNK} WHERE documents.key = ? ORDER BY place`).all(key).map(toChunk)),

    counts: (model) =>
      open(() => {
        const { chunks, children, embedded } = counts.read(model);
        const documents = numberIn(db.sql("SELECT count(*) AS n FROM documents").get(), "n");
        const former = model === undefined ? undefined : formerModel(db, model);
        return { documents, chunks, children, embedded, ...(former !== undefined && { former }) };
      }),

    scrub: () =>
      open(() => {
        db.exec("INSERT INTO words (words) VALUES ('optimize')");
        db.exec("VACUUM");
        db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      }),

    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

// One statement for all of them; CROSS JOIN keeps the order that was asked for.
const SELECT_TERMS = `SELECT id, terms, term_count FROM (SELECT value FROM json_each(?)) CROSS JOIN chunks ON id = value`;
const SELECT_OUTLINES = `SELECT chunks.id AS id, header, kind, date FROM (SELECT value FROM json_each(?))
  CROSS JOIN chunks ON chunks.id = value CROSS JOIN documents ON documents.id = chunks.document`;
const SELECT_CHUNK = `SELECT chunks.id AS chunk_id, place, first_line, last_line, header, text, from_others, documents.*
  FROM chunks JOIN documents ON documents.id = chunks.document`;

function saveDocument(db: Database, document: DocumentRecord): number {
  const { key, scope, kind, path, revision, hash, date = null, isStale } = document;
  const row = db
    .sql(
      `INSERT INTO documents (key, scope, kind, path, revision, hash, date, is_stale) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET scope = excluded.scope, kind = excluded.kind, path = excluded.path,
         revision = excluded.revision, hash = excluded.hash, date = excluded.date, is_stale = excluded.is_stale
       RETURNING id`,
    )
    .get(key, scope, kind, path, revision, hash, date, isStale ? 1 : 0);
  return numberIn(row, "id");
}

function chunkIdsOf(db: Database, document: number): readonly number[] {
  return db
    .sql("SELECT id FROM chunks WHERE document = ?")
    .all(document)
    .map((row) => numberIn(row, "id"));
}

function identityOf(header: string, text: string, foreign: string): string {
  return JSON.stringify([header, text, foreign]);
}

/** Terms are letters and digits only, so quotes are enough. */
function matchOf({ terms }: QueryTerm): string {
  return `"${terms.join(" ")}"`;
}

function toDocument(row: Row): DocumentRecord {
  const date = row["date"];
  return {
    key: textIn(row, "key"),
    scope: textIn(row, "scope"),
    kind: kindIn(row),
    path: textIn(row, "path"),
    revision: textIn(row, "revision"),
    hash: textIn(row, "hash"),
    ...(typeof date === "string" && { date }),
    isStale: row["is_stale"] === 1,
  };
}

function toChunk(row: Row): StoredChunk {
  return {
    id: numberIn(row, "chunk_id"),
    place: numberIn(row, "place"),
    firstLine: numberIn(row, "first_line"),
    lastLine: numberIn(row, "last_line"),
    header: textIn(row, "header"),
    text: textIn(row, "text"),
    foreign: JSON.parse(textIn(row, "from_others")) as readonly string[],
    document: toDocument(row),
  };
}

function kindIn(row: Row): DocumentKind {
  return documentKinds.find((kind) => kind === row["kind"]) ?? "extra";
}

/** The names come out of the index one by one; counting takes longer, and happens only while there are two models. */
function formerModel(db: Database, model: string): StoreCounts["former"] {
  const next = db.sql("SELECT min(model) AS model FROM vectors WHERE model > ?");
  let former: StoreCounts["former"];
  for (let name = ""; ;) {
    const found = next.get(name)?.["model"];
    if (typeof found !== "string") return former;
    name = found;
    if (name === model) continue;
    const vectors = numberIn(db.sql("SELECT count(*) AS n FROM vectors WHERE model = ?").get(name), "n");
    if (vectors > (former?.vectors ?? 0)) former = { model: name, vectors };
  }
}
