import { DatabaseSync } from "node:sqlite";
import { type MemoryStore, readQuery } from "@deputy/memory";
import { openDatabase } from "@deputy/sqlite";
import { getLoadablePath } from "sqlite-vec";
import { reportPeer } from "../report.ts";
import { type CpuTime, eachCpu } from "./cpu-time.ts";
import { createRandom, DIMENSIONS, inventQuestions, inventText, inventVector } from "./invented.ts";

const CANDIDATES = 200;
const CHILDREN = 3;

/** The same texts in a table of FTS5, asked for any of the words. */
export async function benchPlainFts5(path: string, pieces: number, store: MemoryStore): Promise<void> {
  using db = openDatabase(path);
  db.exec("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61'); BEGIN");
  const insert = db.sql("INSERT INTO plain (text) VALUES (?)");
  const random = createRandom(1);
  for (let at = 0; at < pieces; at++) insert.run(inventText(random));
  db.exec("COMMIT");
  const select = db.sql("SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?");
  const questions = inventQuestions();
  const anyOf = (question: string): string =>
    question
      .split(" ")
      .map((word) => `"${word}"`)
      .join(" OR ");
  const plain = await eachCpu(questions, (question) => select.all(anyOf(question), CANDIDATES));
  const ours = await eachCpu(questions, (question) =>
    store.byWords(readQuery(question), ["main"], CANDIDATES),
  );
  reportPeer("by words, median CPU", "ms", allOf(ours), { name: "plain FTS5", rounds: allOf(plain) });
}

/** As many vectors in a table of sqlite-vec. */
export async function benchSqliteVec(path: string, pieces: number, store: MemoryStore): Promise<void> {
  using db = new DatabaseSync(path, { allowExtension: true });
  db.loadExtension(getLoadablePath());
  db.exec(`CREATE VIRTUAL TABLE vec USING vec0 (vector float[${DIMENSIONS}]); BEGIN`);
  const random = createRandom(1);
  const bytes = (): Uint8Array => new Uint8Array(inventVector(random).buffer);
  const insert = db.prepare("INSERT INTO vec (rowid, vector) VALUES (?, ?)");
  for (let at = 0; at < pieces * CHILDREN; at++) insert.run(BigInt(at + 1), bytes());
  db.exec("COMMIT");
  const select = db.prepare("SELECT rowid FROM vec WHERE vector MATCH ? AND k = ?");
  const questions = inventQuestions();
  const theirs = await eachCpu(questions, () => select.all(bytes(), CANDIDATES));
  const ours = await eachCpu(questions, () =>
    store.byMeaning("bench", inventVector(random), ["main"], CANDIDATES),
  );
  reportPeer("by meaning, median CPU", "ms", allOf(ours), { name: "sqlite-vec", rounds: allOf(theirs) });
}

function allOf(times: readonly CpuTime[]): readonly number[] {
  return times.map(({ all }) => all);
}
