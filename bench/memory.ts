import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder } from "@deputy/embedder";
import { openMiniLm } from "@deputy/embedder/node";
import { createSystemClock } from "@deputy/kit";
import {
  DEFAULT_FUSION,
  type DocumentSource,
  embedPending,
  type ListedDocument,
  type MemoryStore,
  readQuery,
  searchIndex,
  syncDocuments,
} from "@deputy/memory";
import { createFileSource, openIndexThread } from "@deputy/memory/node";
import { type CpuTime, cpuOf, cpuWithChildren, eachCpu, percentile } from "./memory/cpu-time.ts";
import { benchIdleDaemon } from "./memory/idle-daemon.ts";
import { createRandom, inventQuestions, inventText, inventVector } from "./memory/invented.ts";
import { benchTurnsWhileIndexing } from "./memory/turns-while-indexing.ts";
import { benchPlainFts5, benchSqliteVec } from "./memory/peers.ts";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

/** `DEPUTY_BENCH_CHUNKS` asks for another size, since filling a large index takes minutes. */
const CHUNKS = Number(process.env["DEPUTY_BENCH_CHUNKS"] ?? sized(100_000, 200));
/** `DEPUTY_BENCH_INDEX` names a file in which the filled index is kept for the next time. */
const KEPT_INDEX = process.env["DEPUTY_BENCH_INDEX"];
/** `DEPUTY_BENCH_PARTS` asks for some of the parts, such as `search,idle`. */
const PARTS = process.env["DEPUTY_BENCH_PARTS"]?.split(",");
const FILES = 300;
const PIECES_OF_NEW = sized(2_000, 20);
const CANDIDATES = 200;
const ROUNDS = sized(20, 2);

const SEARCH_P95_MS = 90;
/** What a search costs the thread that asks: a turn runs there. */
const ASKING_MS = 10;
const WORKER_MB = 250;
const APPENDED_BY_WORDS_MS = 20;
const APPENDED_BY_MEANING_MS = 500;
const NO_CHANGE_MS = 10;
/** So much of the time for which indexing is at work, it may hold up what else runs on the thread that asks. */
const INDEXING_SHARE = 0.1;

const live = new AbortController().signal;
const size = { tokens: 400, overlap: 80 };
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const open = (path: string): MemoryStore =>
  openIndexThread(path, { clock: createSystemClock(), onDamaged: () => undefined });

/** Searching and following a large memory, in CPU time, beside plain FTS5 and sqlite-vec over the same. */
export async function benchMemory(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "deputy-bench-memory-"));
  try {
    if (isWanted("search", "fts5", "sqlite-vec", "appended")) await benchLargeIndex(scratch);
    if (isWanted("no-change")) await benchNoChange(scratch);
    if (isWanted("indexing")) await benchIndexing(scratch);
    if (isWanted("turns")) await benchTurnsWhileIndexing();
    if (isWanted("idle")) await benchIdleDaemon();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isWanted(...parts: readonly string[]): boolean {
  return PARTS === undefined || parts.some((part) => PARTS.includes(part));
}

async function benchLargeIndex(scratch: string): Promise<void> {
  const path = join(scratch, "memory.db");
  if (KEPT_INDEX !== undefined && existsSync(KEPT_INDEX)) cpSync(KEPT_INDEX, path);
  else await fill(path);
  if (KEPT_INDEX !== undefined && !existsSync(KEPT_INDEX)) cpSync(path, KEPT_INDEX);
  if (isWanted("search")) await benchSearch(path);
  await using store = open(path);
  if (isWanted("fts5")) await benchPlainFts5(join(scratch, "plain.db"), CHUNKS, store);
  if (isWanted("sqlite-vec")) await benchSqliteVec(join(scratch, "vec.db"), CHUNKS, store);
  if (isWanted("appended")) await benchAppended(store);
}

async function fill(path: string): Promise<void> {
  const program = fileURLToPath(new URL("./memory/fill-index.ts", import.meta.url));
  const revision = await revisionOf(path);
  execFileSync(process.execPath, [program, path, String(CHUNKS), revision], { stdio: "inherit" });
}

/** How the index names the first revision of a document that is cut as usual. */
async function revisionOf(path: string): Promise<string> {
  await using store = open(path);
  const document = documentOf("today.md", "1", () => "");
  await syncDocuments({ sources: [sourceOf([document])], store, hash, size }, live);
  return (await store.documents()).get("today.md")?.revision ?? "";
}

function documentOf(key: string, revision: string, text: () => string): ListedDocument {
  const read = async () => ({ path: key, text: text() });
  return { key, scope: "main", kind: "notes", path: key, revision, read };
}

function sourceOf(documents: readonly ListedDocument[]): DocumentSource {
  return { list: async () => ({ documents, problems: [] }) };
}

async function benchSearch(path: string): Promise<void> {
  const random = createRandom(2);
  const embedder: Embedder = {
    model: "bench",
    embed: async (texts) => texts.map(() => inventVector(random)),
  };
  const questions = inventQuestions();
  const rssBefore = process.memoryUsage().rss;
  await using store = open(path);
  const search = (question: string) =>
    searchIndex(
      { store, embedder, fusion: DEFAULT_FUSION, clock: createSystemClock() },
      question,
      { scopes: ["main"], limit: 6 },
      live,
    );
  const first = await cpuOf(() => search("a first question"));
  console.log(
    `${`the first search in ${CHUNKS} pieces, with its thread`.padEnd(48)} ${first.all.toFixed(0)} ms`,
  );
  const words = await eachCpu(questions, (question) =>
    store.byWords(readQuery(question), ["main"], CANDIDATES),
  );
  const meaning = await eachCpu(questions, () =>
    store.byMeaning("bench", inventVector(random), ["main"], CANDIDATES),
  );
  const both = await eachCpu(questions, search);
  reportSearch(`search by words in ${CHUNKS} pieces`, words);
  reportSearch("search by meaning", meaning);
  reportSearch("search by both and fused", both);
  reportLimit(
    "of it, on the thread that asks, p95",
    percentile(
      both.map(({ own }) => own),
      0.95,
    ),
    "ms",
    ASKING_MS,
  );
  const grown = process.memoryUsage().rss - rssBefore;
  reportLimit("memory of the thread with the index", grown / 1e6, "MB", WORKER_MB);
}

function reportSearch(what: string, times: readonly CpuTime[]): void {
  const all = times.map((time) => time.all);
  console.log(`${`${what}, p50 CPU`.padEnd(48)} ${percentile(all, 0.5).toFixed(2)} ms`);
  reportLimit(`${what}, p95 CPU`, percentile(all, 0.95), "ms", SEARCH_P95_MS);
}

/** A line is added to one of many notes: from the sync to the answer, by words and then by meaning, with the real model. */
async function benchAppended(store: MemoryStore): Promise<void> {
  await using miniLm = openMiniLm({ clock: createSystemClock() });
  const embedder: Embedder = { model: "bench", embed: (texts, signal) => miniLm.embed(texts, signal) };
  let text = inventText(createRandom(3));
  const known = [...(await store.documents()).keys()].filter((key) => key !== "today.md");
  const others = known.map((key) => documentOf(key, "1", () => ""));
  const byWords: number[] = [];
  const byMeaning: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const today = documentOf("today.md", `${round + 2}`, () => text);
    const sync = () => syncDocuments({ sources: [sourceOf([today, ...others])], store, hash, size }, live);
    const word = `zeppelin${String.fromCharCode(97 + round)}`;
    text += `\nThe ${word} lands at noon`;
    const words = await cpuOf(async () => {
      await sync();
      const [hit] = await store.byWords(readQuery(word), ["main"], CANDIDATES);
      if (hit === undefined) throw new Error("The line is not found");
    });
    // The first of each also loads and compiles what it needs.
    if (round > 0) byWords.push(words.all);
    const meaning = await cpuWithChildren(async () => {
      await embedPending({ store, embedder }, live);
      const [asked = new Float32Array()] = await embedder.embed(["when does the airship land?"], live);
      const [hit] = await store.byMeaning("bench", asked, ["main"], CANDIDATES);
      const [found] = await store.chunks(hit === undefined ? [] : [hit.id]);
      if (found?.document.key !== "today.md") throw new Error("The line is not found by meaning");
    });
    if (round > 0) byMeaning.push(meaning);
  }
  reportLimit(
    "a line appended is found by words, median CPU",
    percentile(byWords, 0.5),
    "ms",
    APPENDED_BY_WORDS_MS,
  );
  reportLimit("and by meaning, median CPU", percentile(byMeaning, 0.5), "ms", APPENDED_BY_MEANING_MS);
}

async function benchNoChange(scratch: string): Promise<void> {
  const folder = join(scratch, "notes");
  mkdirSync(folder);
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(folder, `${at}.md`), `# Note ${at}\nSomething about ${at}\n`);
  await using store = open(join(scratch, "small.db"));
  const sources = [
    createFileSource(() => [
      { location: folder, path: "main/memory", shownAs: "memory", scope: "main", kind: "notes" },
    ]),
  ];
  const sync = () => syncDocuments({ sources, store, hash, size }, live);
  await sync();
  const times = await eachCpu(Array.from({ length: 20 }, String), sync);
  const all = times.map((time) => time.all);
  reportLimit(`a sync of ${FILES} files with nothing to do, CPU`, percentile(all, 0.5), "ms", NO_CHANGE_MS);
}

/** New notes are indexed: what of it happens on the thread on which turns run. */
async function benchIndexing(scratch: string): Promise<void> {
  await using store = open(join(scratch, "new.db"));
  const random = createRandom(5);
  const vectors: Embedder = {
    model: "bench",
    embed: async (texts) => texts.map(() => inventVector(random)),
  };
  const texts = Array.from({ length: PIECES_OF_NEW / 20 }, () =>
    Array.from({ length: 20 }, (_, at) => `# Part ${at}\n${inventText(random)}`).join("\n"),
  );
  const documents = texts.map((text, at) => documentOf(`${at}.md`, "1", () => text));
  const progress: number[] = [];
  const onProgress = ({ done }: { readonly done: number }): void => void progress.push(done);
  const reading = await cpuOf(() =>
    syncDocuments({ sources: [sourceOf(documents)], store, hash, size, onProgress }, live),
  );
  console.log(
    `${`${documents.length} new notes indexed by words`.padEnd(48)} ${reading.all.toFixed(0)} ms CPU, progress told ${progress.length} times`,
  );
  reportLimit(
    "of it, on the thread on which turns run",
    reading.own / reading.all,
    "of the time",
    INDEXING_SHARE,
  );
  const before = progress.length;
  const { children } = await store.counts("bench");
  const invented = await cpuOf(() => Array.from({ length: children }, () => inventVector(random)));
  const embedding = await cpuOf(() => embedPending({ store, embedder: vectors, onProgress }, live));
  const own = Math.max(0, embedding.own - invented.own);
  // The model takes at least 10 ms for each, in its own process, and that is left out here.
  console.log(
    `${`their ${children} vectors kept`.padEnd(48)} ${(own / children).toFixed(3)} ms each on that thread, progress told ${progress.length - before} times`,
  );
}
