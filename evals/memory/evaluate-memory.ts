import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMiniLm } from "@deputy/embedder/node";
import type { Embedder } from "@deputy/embedder";
import type { Recalled } from "@deputy/agent/turns";
import { createSystemClock, type SessionId } from "@deputy/kit";
import {
  DEFAULT_FUSION,
  DEFAULT_WEIGHTS,
  type DocumentSource,
  embedPending,
  type Fusion,
  joinNeighbours,
  type MemoryStore,
  searchIndex,
  type StoredChunk,
  syncDocuments,
} from "@deputy/memory";
import { openSqliteStore } from "@deputy/memory/node";
import { createFakeClock } from "@deputy/testing";
import { createMemoryRecall } from "../../apps/deputy/src/memory/recall-from-memory.ts";
import { createProgress } from "../progress.ts";
import { formatTable } from "../table.ts";
import { createCachedEmbedder } from "./cached-embedder.ts";
import { openPlainFts5 } from "./plain-fts5.ts";
import { type Conversation, type Question, readLocomo } from "./read-locomo.ts";

const CACHE = new URL("../../node_modules/.cache/deputy-embeddings/", import.meta.url);
const MOST = 6;
const CHUNK_SIZE = { tokens: 400, overlap: 80 };
const BASELINE = "BM25 of FTS5, Porter, any word";
/** To tell what joining gives from what the search gives. */
const JOINED_BASELINE = "the same, neighbours joined";
const JOINED_FROM = 20;
/** How much better than the baseline, in points. */
const TARGETS = { apart: { recall: 3, rank: 4 }, mixed: { recall: 1.5, rank: 4 } } as const;

const METHODS: readonly { readonly name: string; readonly fusion: Fusion; readonly isByMeaning: boolean }[] =
  [
    { name: "words alone", fusion: DEFAULT_FUSION, isByMeaning: false },
    { name: "min-max (default)", fusion: DEFAULT_FUSION, isByMeaning: true },
    {
      name: "weighted 0.7/0.3, at least 0.35",
      fusion: { kind: "weighted", weights: DEFAULT_WEIGHTS.weighted, minScore: 0.35 },
      isByMeaning: true,
    },
    { name: "ranks, k = 60", fusion: { kind: "ranks", weights: DEFAULT_WEIGHTS.ranks }, isByMeaning: true },
  ];
const DEFAULT_METHOD = "min-max (default)";
/** What the model gets with a message: bounded by its length, and not by the number of hits. */
const IN_A_TURN = "recalled for a turn";
const CATEGORIES = ["several facts", "when", "open", "one fact"] as const;

/** How much of the evidence is among the first six, and one by the place of the first of it. */
interface Score {
  readonly recall: number;
  readonly rank: number;
  readonly category: number;
  /** How much text was given. */
  readonly words: number;
}

/**
 * How often the turns that answer a question are among the first six pieces, with an index for each conversation and
 * with one for all. Prints a table, and resolves with whether the targets hold. Vectors are kept for the next run.
 */
export async function evaluateMemory(directory: string): Promise<boolean> {
  const folder = join(directory, "locomo");
  if (!existsSync(folder)) {
    console.log("SKIPPED memory: the corpora have no folder locomo.");
    return process.env["DEPUTY_CI"] === undefined;
  }
  const conversations = await readLocomo(folder);
  await using own = openMiniLm({ clock: createSystemClock() });
  const embedder = createCachedEmbedder(own, fileURLToPath(CACHE));
  const count = conversations.reduce((sum, { questions }) => sum + questions.length, 0);
  console.log(
    `memory: ${conversations.length} conversations of LoCoMo, ${count} questions, the first ${MOST}`,
  );
  const apart = new Map<string, Score[]>();
  const each: (readonly [name: string, scores: ReadonlyMap<string, readonly Score[]>])[] = [];
  for (const conversation of conversations) {
    const scores = await measure([conversation], embedder);
    each.push([conversation.name, scores]);
    merge(apart, scores);
  }
  const mixed = await measure(conversations, embedder);
  const holds = [report("an index for each conversation", apart, TARGETS.apart)];
  reportEach(each, TARGETS.apart);
  holds.push(report("one index for all", mixed, TARGETS.mixed));
  return holds.every(Boolean);
}

async function measure(
  conversations: readonly Conversation[],
  embedder: Embedder,
): Promise<ReadonlyMap<string, Score[]>> {
  const scratch = mkdtempSync(join(tmpdir(), "deputy-eval-memory-"));
  const { signal } = new AbortController();
  try {
    await using store = await openSqliteStore(join(scratch, "memory.db"));
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    await syncDocuments({ sources: [sourceOf(conversations)], store, hash, size: CHUNK_SIZE }, signal);
    const { children } = await store.counts(embedder.model);
    const progress = createProgress("embedded", children);
    await embedPending({ store, embedder, onProgress: ({ done }) => progress(done) }, signal);
    return await askAll(conversations, { store, embedder }, signal);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function askAll(
  conversations: readonly Conversation[],
  deps: { readonly store: MemoryStore; readonly embedder: Embedder },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Score[]>> {
  const { store } = deps;
  const clock = createSystemClock();
  const chunks = new Map<number, StoredChunk>();
  for (const key of (await store.documents()).keys())
    for (const chunk of await store.chunksOf(key)) chunks.set(chunk.id, chunk);
  using plain = openPlainFts5([...chunks.values()]);
  const turns = turnsByLine(conversations);
  const scores = new Map<string, Score[]>();
  const note = (
    method: string,
    conversation: Conversation,
    question: Question,
    hits: readonly Piece[],
  ): void => {
    const found = hits.map((hit) => turnsOf(hit, turns));
    const wanted = new Set(question.evidence.map((turn) => `${conversation.name} ${turn}`));
    const words = hits.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    merge(scores, new Map([[method, [{ ...scoreOf(found, wanted, question.category), words }]]]));
  };
  const recall = createMemoryRecall({
    memory: async () => ({
      search: async (question, options) => ({
        ...(await searchIndex(
          { ...deps, fusion: DEFAULT_FUSION, clock },
          question,
          { ...options, scopes: ["*"] },
          signal,
        )),
        isStale: false,
        problems: [],
      }),
    }),
    // Its time stands still: a search is never given up, however busy the machine is.
    clock: createFakeClock(),
  });
  const session = "ses_" as SessionId;
  for (const conversation of conversations)
    for (const question of conversation.questions) {
      const best = plain.search(question.text, JOINED_FROM).flatMap((id) => chunks.get(id) ?? []);
      note(BASELINE, conversation, question, best.slice(0, MOST));
      const asRanked = best.map((chunk, at) => ({
        id: chunk.id,
        score: -at,
        words: -at,
        meaning: undefined,
        chunk,
      }));
      note(
        JOINED_BASELINE,
        conversation,
        question,
        joinNeighbours(asRanked)
          .slice(0, MOST)
          .map(({ chunk }) => chunk),
      );
      for (const { name, fusion, isByMeaning } of METHODS) {
        const embedder = isByMeaning ? deps.embedder : undefined;
        const options = { scopes: ["*"], limit: MOST };
        const { hits } = await searchIndex(
          { store, embedder, fusion, clock },
          question.text,
          options,
          signal,
        );
        note(
          name,
          conversation,
          question,
          hits.map(({ chunk }) => chunk),
        );
      }
      const request = { agentId: "*", session, text: question.text, shown: new Set<string>() };
      note(IN_A_TURN, conversation, question, piecesOf(await recall.recall(request, signal)));
    }
  return scores;
}

function sourceOf(conversations: readonly Conversation[]): DocumentSource {
  const documents = conversations.flatMap(({ name, people, meetings }) =>
    meetings.map(({ number, date, text }) => {
      const path = `${name}/${number}`;
      const read = async () => ({ path: "", text, date, people });
      return { key: path, scope: "*", kind: "session" as const, path, revision: "1", read };
    }),
  );
  return { list: async () => ({ documents, problems: [] }) };
}

/** The turn at each line of a document: `26/3` → `["26 D3:1", …]`. */
function turnsByLine(conversations: readonly Conversation[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    conversations.flatMap(({ name, meetings }) =>
      meetings.map(({ number, turns }) => [`${name}/${number}`, turns.map((turn) => `${name} ${turn}`)]),
    ),
  );
}

type Piece = Pick<StoredChunk, "firstLine" | "lastLine" | "text"> & {
  readonly document: Pick<StoredChunk["document"], "key">;
};

function piecesOf(recalled: Recalled | undefined): readonly Piece[] {
  return (recalled?.hits ?? []).map(({ path, lines, text }) => {
    const [firstLine = 0, lastLine = firstLine] = lines.split("-").map(Number);
    return { document: { key: path }, firstLine, lastLine, text };
  });
}

function turnsOf(
  { document, firstLine, lastLine }: Piece,
  turns: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return turns.get(document.key)?.slice(firstLine - 1, lastLine) ?? [];
}

function scoreOf(
  found: readonly (readonly string[])[],
  wanted: ReadonlySet<string>,
  category: number,
): Omit<Score, "words"> {
  const got = new Set(found.flat().filter((turn) => wanted.has(turn)));
  const first = found.findIndex((turns) => turns.some((turn) => wanted.has(turn)));
  return { recall: got.size / wanted.size, rank: first === -1 ? 0 : 1 / (first + 1), category };
}

function merge(into: Map<string, Score[]>, more: ReadonlyMap<string, readonly Score[]>): void {
  for (const [name, scores] of more) into.set(name, [...(into.get(name) ?? []), ...scores]);
}

function report(
  title: string,
  scores: ReadonlyMap<string, readonly Score[]>,
  target: { readonly recall: number; readonly rank: number },
): boolean {
  const recall = (name: string): number => recallOf(scores, name);
  const rank = (name: string): number => rankOf(scores, name);
  const byCategory = (list: readonly Score[]): readonly string[] =>
    CATEGORIES.map((_, at) =>
      percent(list.filter(({ category }) => category === at + 1).map((score) => score.recall)).toFixed(1),
    );
  const wordsIn = (list: readonly Score[]): string =>
    (list.reduce((sum, { words }) => sum + words, 0) / list.length).toFixed(0);
  const rows = [...scores].map(([name, list]) =>
    [name, recall(name).toFixed(1), rank(name).toFixed(1)].concat(byCategory(list), wordsIn(list)),
  );
  console.log(`\n${title}:`);
  console.log(formatTable(["method", `recall@${MOST}`, "MRR", ...CATEGORIES, "words"], rows));
  const betterThan = (name: string): { readonly recall: number; readonly rank: number } => ({
    recall: recall(DEFAULT_METHOD) - recall(name),
    rank: rank(DEFAULT_METHOD) - rank(name),
  });
  const better = betterThan(BASELINE);
  const joined = betterThan(JOINED_BASELINE);
  const holds = better.recall >= target.recall && better.rank >= target.rank;
  console.log(
    `${holds ? "holds" : "FAILS"}: recall ${signed(better.recall)} (at least ${signed(target.recall)}), ` +
      `MRR ${signed(better.rank)} (at least ${signed(target.rank)}); ` +
      `against BM25 with joined hits recall ${signed(joined.recall)}, MRR ${signed(joined.rank)}`,
  );
  return holds;
}

/** Each conversation by itself, and their average, in which a long one counts no more than a short one. */
function reportEach(
  each: readonly (readonly [name: string, scores: ReadonlyMap<string, readonly Score[]>])[],
  target: { readonly recall: number; readonly rank: number },
): void {
  const rows = each.map(([name, scores]) => ({
    name,
    questions: scores.get(BASELINE)?.length ?? 0,
    recall: [recallOf(scores, BASELINE), recallOf(scores, DEFAULT_METHOD)] as const,
    rank: [rankOf(scores, BASELINE), rankOf(scores, DEFAULT_METHOD)] as const,
  }));
  const better = ([before, after]: readonly [number, number]): number => after - before;
  const mean = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const written = (pair: readonly [number, number]): readonly string[] => [
    pair[0].toFixed(1),
    pair[1].toFixed(1),
    signed(better(pair)),
  ];
  console.log("\neach conversation by itself, BM25 and the default:");
  console.log(
    formatTable(
      ["conversation", "questions", `recall@${MOST}`, "", "", "MRR", "", ""],
      rows.map(({ name, questions, recall, rank }) => [
        name,
        String(questions),
        ...written(recall),
        ...written(rank),
      ]),
    ),
  );
  const reached = rows.filter(
    ({ recall, rank }) => better(recall) >= target.recall && better(rank) >= target.rank,
  );
  console.log(
    `on average recall ${signed(mean(({ recall }) => better(recall)))}, MRR ${signed(mean(({ rank }) => better(rank)))}; ` +
      `both are at least ${signed(target.recall)} and ${signed(target.rank)} in ${reached.length} of ${rows.length}`,
  );
}

function percent(list: readonly number[]): number {
  return (100 * list.reduce((a, b) => a + b, 0)) / list.length;
}

function recallOf(scores: ReadonlyMap<string, readonly Score[]>, method: string): number {
  return percent((scores.get(method) ?? []).map((score) => score.recall));
}

function rankOf(scores: ReadonlyMap<string, readonly Score[]>, method: string): number {
  return percent((scores.get(method) ?? []).map((score) => score.rank));
}

function signed(points: number): string {
  return `${points < 0 ? "" : "+"}${points.toFixed(1)}`;
}
