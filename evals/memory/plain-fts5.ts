import { type Database, openDatabase } from "@deputy/sqlite";
import type { StoredChunk } from "@deputy/memory";

/** What everybody can have with SQLite alone, and what the memory is measured against. */
export interface PlainFts5 extends Disposable {
  /** Ids of the chunks, the best first. */
  search(question: string, limit: number): readonly number[];
}

/** Removed from questions, as is usual; a longer list than most. */
const STOP_WORDS = new Set(
  "a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing don down during each ever few for from further had has have having he her here hers him his how i if in into is it its itself just let like ll me more most my no nor not now of off on once only or other our ours out over own re s same she should so some such t than that the their theirs them then there these they this those through to too under until up ve very was we were what when where which while who whom why will with would you your yours many much kind type".split(
    " ",
  ),
);

/** BM25 over the same pieces with their headers: Porter's stemmer, any of the words. */
export function openPlainFts5(chunks: readonly StoredChunk[]): PlainFts5 {
  const db: Database = openDatabase(":memory:");
  db.exec("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')");
  const insert = db.sql("INSERT INTO plain (rowid, text) VALUES (?, ?)");
  for (const { id, header, text } of chunks) insert.run(id, `${header} ${text}`);
  return {
    search(question, limit) {
      const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
      const telling = words.filter((word) => !STOP_WORDS.has(word));
      const match = (telling.length > 0 ? telling : words).map((word) => `"${word}"`).join(" OR ");
      if (match === "") return [];
      return db
        .sql("SELECT rowid AS id FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?")
        .all(match, limit)
        .map(({ id }) => Number(id));
    },
    [Symbol.dispose]: () => db.close(),
  };
}
