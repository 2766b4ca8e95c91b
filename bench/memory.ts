import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@deputy/embedder";
import { openMiniLm } from "@deputy/embedder/node";
import { createSystemClock } from "@deputy/kit";
import {
  DEFAULT_FUSION,
  type DocumentSource,
  embedPending,
  type MemoryStore,
  readQuery,
  searchIndex,
  syncDocuments,
} from "@deputy/memory";
import { createFileSource, openSqliteStore } from "@deputy/memory/node";
import { openDatabase } from "@deputy/sqlite";
import { reportLimit, reportPeer } from "./report.ts";
import { sized } from "./sized.ts";

/** `DEPUTY_BENCH_CHUNKS` asks for another size, since filling a large index takes minutes. */
const CHUNKS = Number(process.env["DEPUTY_BENCH_CHUNKS"] ?? sized(100_000, 200));
const CHUNKS_PER_DOCUMENT = 50;
const CHILDREN = 3;
const WORDS_PER_CHUNK = 300;
const VOCABULARY = 30_000;
const DIMENSIONS = 384;
const SEARCHES = sized(60, 6);
const FILES = 300;
const CANDIDATES = 200;

const SEARCH_P95_MS = 90;
const WORKER_MB = 250;
const APPENDED_BY_WORDS_MS = 20;
const APPENDED_BY_MEANING_MS = 500;
const NO_CHANGE_MS = 10;

const live = new AbortController().signal;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Searching and following a large memory, in CPU time, beside plain FTS5 and sqlite-vec over the same. */
export async function benchMemory(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "deputy-bench-memory-"));
  try {
    const before = process.memoryUsage().rss;
    await using store = await openSqliteStore(join(scratch, "memory.db"));
    const filled = await cpuOf(() => fill(store));
    console.log(
      `${`index of ${CHUNKS} pieces`.padEnd(48)} ${(filled / 1_000).toFixed(1)} s to fill without a model`,
    );
    await benchSearch(store, before);
    await benchPlainFts5(join(scratch, "plain.db"), store);
    await benchSqliteVec(join(scratch, "vec.db"), store);
    await benchAppended(store);
    await benchNoChange(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function fill(store: MemoryStore): Promise<void> {
  const random = createRandom(1);
  for (let at = 0; at < CHUNKS; at += CHUNKS_PER_DOCUMENT) {
    const key = `note-${at}.md`;
    const chunks = Array.from({ length: Math.min(CHUNKS_PER_DOCUMENT, CHUNKS - at) }, (_, place) => {
      const children = Array.from({ length: CHILDREN }, (__, part) => ({
        hash: `${at + place}-${part}`,
        text: "",
      }));
      return {
        firstLine: place + 1,
        lastLine: place + 1,
        header: `[${key}]`,
        text: inventText(random),
        foreign: [],
        children,
      };
    });
    const record = { key, scope: "main", kind: "notes", path: key, revision: "1", hash: key } as const;
    await store.put({ ...record, isStale: false }, chunks);
    const vectors = chunks.flatMap(({ children }) =>
      children.map((child) => [child.hash, inventVector(random)] as const),
    );
    await store.putVectors("bench", new Map(vectors));
  }
}

async function benchSearch(store: MemoryStore, rssBefore: number): Promise<void> {
  const random = createRandom(2);
  const embedder: Embedder = {
    model: "bench",
    embed: async (texts) => texts.map(() => inventVector(random)),
  };
  const questions = inventQuestions();
  const search = (question: string) =>
    searchIndex({ store, embedder, fusion: DEFAULT_FUSION }, question, { scopes: ["main"], limit: 6 }, live);
  const first = await cpuOf(() => search("a first question"));
  console.log(`${"the first search, which loads signs and counts".padEnd(48)} ${first.toFixed(0)} ms`);
  const words = await eachCpu(questions, (question) =>
    store.byWords(readQuery(question), ["main"], CANDIDATES),
  );
  const meaning = await eachCpu(questions, () =>
    store.byMeaning("bench", inventVector(random), ["main"], CANDIDATES),
  );
  const both = await eachCpu(questions, search);
  reportLimit(`search by words in ${CHUNKS} pieces, p95 CPU`, p95(words), "ms", SEARCH_P95_MS);
  reportLimit(`search by meaning, p95 CPU`, p95(meaning), "ms", SEARCH_P95_MS);
  reportLimit(`search by both and fused, p95 CPU`, p95(both), "ms", SEARCH_P95_MS);
  reportLimit(
    "memory of the process, grown by",
    (process.memoryUsage().rss - rssBefore) / 1e6,
    "MB",
    WORKER_MB,
  );
}

async function benchPlainFts5(path: string, store: MemoryStore): Promise<void> {
  using db = openDatabase(path);
  db.exec("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61'); BEGIN");
  const insert = db.sql("INSERT INTO plain (text) VALUES (?)");
  const random = createRandom(1);
  for (let at = 0; at < CHUNKS; at++) insert.run(inventText(random));
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
  reportPeer("by words, median CPU", "ms", ours, { name: "plain FTS5", rounds: plain });
}

async function benchSqliteVec(path: string, store: MemoryStore): Promise<void> {
  // Nothing in Deputy needs it, so it is no dependency: `npm install --no-save sqlite-vec` for this comparison.
  const name = "sqlite-vec";
  const { DatabaseSync } = await import("node:sqlite");
  const extension = await (import(name) as Promise<SqliteVec>).catch(() => undefined);
  if (extension === undefined) {
    console.log(
      "SKIPPED by meaning beside sqlite-vec: it is not installed (`npm install --no-save sqlite-vec`).",
    );
    return;
  }
  const db = new DatabaseSync(path, { allowExtension: true });
  db.loadExtension(extension.getLoadablePath());
  db.exec(`CREATE VIRTUAL TABLE vec USING vec0 (vector float[${DIMENSIONS}]); BEGIN`);
  const random = createRandom(1);
  const insert = db.prepare("INSERT INTO vec (rowid, vector) VALUES (?, ?)");
  for (let at = 0; at < CHUNKS * CHILDREN; at++)
    insert.run(BigInt(at + 1), new Uint8Array(inventVector(random).buffer));
  db.exec("COMMIT");
  const select = db.prepare("SELECT rowid FROM vec WHERE vector MATCH ? AND k = ?");
  const questions = inventQuestions();
  const theirs = await eachCpu(questions, () =>
    select.all(new Uint8Array(inventVector(random).buffer), CANDIDATES),
  );
  const ours = await eachCpu(questions, () =>
    store.byMeaning("bench", inventVector(random), ["main"], CANDIDATES),
  );
  reportPeer("by meaning, median CPU", "ms", ours, { name: "sqlite-vec", rounds: theirs });
  db.close();
}

interface SqliteVec {
  getLoadablePath(): string;
}

/** A line is added to a note: from the sync to the answer, by words and then by meaning, with the real model. */
async function benchAppended(store: MemoryStore): Promise<void> {
  await using miniLm = openMiniLm({ clock: createSystemClock() });
  const embedder: Embedder = { model: "bench", embed: (texts, signal) => miniLm.embed(texts, signal) };
  let text = inventText(createRandom(3));
  let revision = 1;
  const source: DocumentSource = {
    async list() {
      const read = async () => ({ path: "today.md", text });
      const today = {
        key: "today.md",
        scope: "main",
        kind: "notes" as const,
        path: "today.md",
        revision: `${revision}`,
        read,
      };
      return {
        documents: [today],
        problems: [{ keyPrefix: "note-", path: "notes", message: "not looked at" }],
      };
    },
  };
  const size = { tokens: 400, overlap: 80 };
  const sync = () => syncDocuments({ sources: [source], store, hash, size }, live);
  await sync();
  await embedPending({ store, embedder }, live);
  text += "\nThe zeppelin lands at noon";
  revision++;
  const byWords = await cpuOf(async () => {
    await sync();
    const [hit] = await store.byWords(readQuery("zeppelin"), ["main"], CANDIDATES);
    if (hit === undefined) throw new Error("The line is not found");
  });
  reportLimit("a line appended is found by words, CPU", byWords, "ms", APPENDED_BY_WORDS_MS);
  const byMeaning = await cpuOf(async () => {
    await embedPending({ store, embedder }, live);
    const [asked = new Float32Array()] = await embedder.embed(["when does the airship land?"], live);
    const [hit] = await store.byMeaning("bench", asked, ["main"], CANDIDATES);
    const [found] = await store.chunks(hit === undefined ? [] : [hit.id]);
    if (found?.document.key !== "today.md") throw new Error("The line is not found by meaning");
  });
  reportLimit("and by meaning, CPU", byMeaning, "ms", APPENDED_BY_MEANING_MS);
}

async function benchNoChange(scratch: string): Promise<void> {
  const folder = join(scratch, "notes");
  mkdirSync(folder);
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(folder, `${at}.md`), `# Note ${at}\nSomething about ${at}\n`);
  await using store = await openSqliteStore(join(scratch, "small.db"));
  const sources = [
    createFileSource(() => [
      { location: folder, path: "main/memory", shownAs: "memory", scope: "main", kind: "notes" },
    ]),
  ];
  const sync = () => syncDocuments({ sources, store, hash, size: { tokens: 400, overlap: 80 } }, live);
  await sync();
  const times = await eachCpu(Array.from({ length: 20 }, String), sync);
  reportLimit(`a sync of ${FILES} files with nothing to do, CPU`, p50(times), "ms", NO_CHANGE_MS);
}

async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function eachCpu<T>(items: readonly T[], work: (item: T) => unknown): Promise<readonly number[]> {
  const times: number[] = [];
  for (const item of items) times.push(await cpuOf(() => work(item)));
  return times;
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

function p50(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** The same numbers from 0 to 1 for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words are as frequent as in a language: the n-th as often as 1 / n. */
function inventText(random: () => number): string {
  return Array.from({ length: WORDS_PER_CHUNK }, () => inventWord(VOCABULARY ** random())).join(" ");
}

function inventWord(place: number): string {
  return `w${Math.floor(place).toString(36)}x`;
}

/** Some words that many texts have, and some that few have. */
function inventQuestions(): readonly string[] {
  const random = createRandom(4);
  return Array.from({ length: SEARCHES }, () =>
    [20, 200, 2_000, 4_000, 9_000, 20_000].map((place) => inventWord(place * (0.5 + random() / 2))).join(" "),
  );
}

function inventVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
