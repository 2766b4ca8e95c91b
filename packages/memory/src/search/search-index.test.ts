import type { Embedder } from "@deputy/embedder";
import { createFakeClock } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DocumentKind, ListedDocument } from "../document.ts";
import { createInMemoryStore } from "../store/in-memory-store.ts";
import { embedPending } from "../sync/embed-pending.ts";
import { syncDocuments } from "../sync/sync-documents.ts";
import { termsOf } from "../text/words-of.ts";
import { DEFAULT_FUSION } from "./fuse.ts";
import { searchIndex } from "./search-index.ts";

const live = new AbortController().signal;
const NOW = new Date(2026, 10, 17, 12).getTime();

/** Words that mean the same point into the same direction. */
const MEANINGS = [
  ["car", "automobil", "vehicl"],
  ["doctor", "physician"],
  ["tea", "drink"],
];

function createWordEmbedder(): Embedder & { calls: number } {
  return {
    model: "words-1",
    leastRelated: 0.25,
    calls: 0,
    async embed(texts) {
      this.calls++;
      return texts.map((text) => {
        const vector = new Float32Array(32).fill(0.01);
        for (const term of termsOf(text)) {
          const at = MEANINGS.findIndex((words) => words.includes(term));
          if (at !== -1) vector[at] = 1;
        }
        const length = Math.hypot(...vector);
        return vector.map((value) => value / length);
      });
    },
  };
}

async function setup(
  documents: Readonly<Record<string, string>>,
  options: { readonly embedded?: boolean; readonly kind?: DocumentKind } = {},
) {
  const store = createInMemoryStore();
  const embedder = createWordEmbedder();
  const listed = Object.entries(documents).map(([path, text]): ListedDocument => ({
    key: path,
    scope: "main",
    kind: path.startsWith("talk") ? "session" : "notes",
    path,
    revision: "1",
    read: async () => ({ path, text, date: /\d{4}-\d{2}-\d{2}/.exec(path)?.[0] }),
  }));
  const source = { list: async () => ({ documents: listed, problems: [] }) };
  await syncDocuments(
    { sources: [source], store, hash: (text) => text, size: { tokens: 40, overlap: 8 } },
    live,
  );
  if (options.embedded !== false) await embedPending({ store, embedder }, live);
  const search = (question: string, limit = 10, using: Embedder | undefined = embedder) =>
    searchIndex(
      { store, embedder: using, fusion: DEFAULT_FUSION, clock: { now: () => NOW } },
      question,
      { scopes: ["main"], limit },
      live,
    );
  return { store, embedder, search };
}

const NOTES = {
  "garage.md": "The automobile needs new tyres",
  "health.md": "Anna sees a physician on Friday",
  "kitchen.md": "Buy green tea on Friday",
};

test("[M23] a hit says where it is and why it was found", async () => {
  const { search } = await setup(NOTES);
  const { hits, by, reason } = await search("which doctor on Friday?");
  expect({ by, reason }).toEqual({ by: "words and meaning", reason: undefined });
  expect(hits[0]).toMatchObject({
    chunk: { document: { path: "health.md" }, firstLine: 1, lastLine: 1, text: NOTES["health.md"] },
    why: { words: ["friday"], meaning: expect.closeTo(1, 1) },
  });
});

test("[M4] what has no word in common is found by meaning", async () => {
  const { search } = await setup(NOTES);
  expect((await search("my car")).hits[0]?.chunk.document.path).toBe("garage.md");
});

test("[M21] ranks do not depend on how many are asked for", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `${n % 3 === 0 ? "talk" : "note"}-${n}.md`,
      `tea ${n} `.repeat((n % 5) + 1),
    ]),
  );
  const { search } = await setup(many);
  const all = (await search("tea to drink", 40)).hits.map(({ chunk }) => chunk.id);
  expect(all.length).toBeGreaterThan(30);
  for (const limit of [0, 1, 3, 6, 20])
    expect((await search("tea to drink", limit)).hits.map(({ chunk }) => chunk.id)).toEqual(
      all.slice(0, limit),
    );
});

test("[M21] [M25] hits, their texts and scores are the same for every number of results", async () => {
  const words = fc.constantFrom("tea", "car", "doctor", "the house", "a green drink", "Friday and Anna");
  const texts = fc.dictionary(
    fc.constantFrom("talk-1.md", "talk-2.md", "note-1.md", "note-2.md"),
    fc.array(words, { minLength: 1, maxLength: 60 }).map((lines) => lines.join("\n")),
    { minKeys: 1 },
  );
  await fc.assert(
    fc.asyncProperty(texts, words, fc.nat(20), async (documents, question, limit) => {
      const { search } = await setup(documents);
      const all = (await search(question, 1_000)).hits;
      expect((await search(question, limit)).hits).toEqual(all.slice(0, limit));
    }),
    { numRuns: 30 },
  );
});

test("[M25] neighbours are joined among as many of the best as is asked for", async () => {
  const said = Array.from({ length: 200 }, (_, line) => `tea, said for the ${line}th time, is green`);
  const { search, store } = await setup({ "note-1.md": said.join("\n") });
  const hits = async (joinAmong: number) =>
    (
      await searchIndex(
        { store, embedder: undefined, fusion: DEFAULT_FUSION, clock: createFakeClock() },
        "green tea",
        { scopes: ["main"], limit: 1_000, joinAmong },
        live,
      )
    ).hits;
  const [none, few, most] = [(await hits(0)).length, (await hits(4)).length, (await hits(1_000)).length];
  expect(few).toBeGreaterThanOrEqual(none - 2);
  expect(few).toBeLessThan(none);
  expect(most).toBeLessThanOrEqual(none * 0.75);
  const usual = (await search("green tea", 1_000, undefined)).hits.length;
  expect(usual).toBeLessThan(few);
  expect(usual).toBeGreaterThanOrEqual(none - 6);
});

test("[M22] without an embedder, words alone are searched, and the answer says so", async () => {
  const { search, store } = await setup(NOTES);
  const found = await searchIndex(
    { store, embedder: undefined, fusion: DEFAULT_FUSION, clock: createFakeClock() },
    "green car",
    { scopes: ["main"], limit: 5 },
    live,
  );
  expect(found).toMatchObject({ by: "words", reason: "There is no model for embeddings." });
  expect(found.hits.map(({ chunk }) => chunk.document.path)).toEqual(["kitchen.md"]);
  expect((await search("green car")).hits).toHaveLength(2);
});

test("[M22] while the embedder fails, words alone are searched, and the answer says why", async () => {
  const { search } = await setup(NOTES);
  const broken: Embedder = { model: "words-1", embed: () => Promise.reject(new Error("It is ill")) };
  expect(await search("tea", 5, broken)).toMatchObject({ by: "words", reason: "It is ill", hits: [{}] });
});

test("[M22] while most of the index has no vectors yet, words alone are searched, and the answer says so", async () => {
  const { search, embedder, store } = await setup(NOTES, { embedded: false });
  expect(await search("tea")).toMatchObject({
    by: "words",
    reason: "The meaning of 3 of 3 pieces is not indexed yet.",
    hits: [{}],
  });
  await embedPending({ store, embedder }, live);
  expect(await search("tea")).toMatchObject({ by: "words and meaning" });
});

test("[M22] an abort ends a search with its reason", async () => {
  const { search } = await setup(NOTES);
  const { store, embedder } = await setup(NOTES);
  const stopped = AbortSignal.abort(new Error("enough"));
  await expect(
    searchIndex(
      { store, embedder, fusion: DEFAULT_FUSION, clock: createFakeClock() },
      "tea",
      { scopes: ["main"], limit: 1 },
      stopped,
    ),
  ).rejects.toThrow("enough");
  expect((await search("tea")).hits).not.toEqual([]);
});

test("[M91] what is of the time that was asked for comes first", async () => {
  const tea = (date: string): string => `Tea for ${date.length} people`;
  const days = ["2026-05-08", "2026-07-02", "2026-11-15", "2026-11-16"];
  const { search } = await setup({
    ...Object.fromEntries(days.map((day) => [`${day}.md`, tea(day)])),
    "talk.md": "# 2026-10-03\nUser: I had tea\n# 2026-10-04\nUser: We spoke of other things",
    "undated.md": tea("2026-11-16"),
  });
  const first = async (question: string) => (await search(question)).hits[0]?.chunk.document.path;
  expect(await first("Who had tea in May?")).toBe("2026-05-08.md");
  expect(await first("Who had tea on July 2nd?")).toBe("2026-07-02.md");
  expect(await first("Who had tea on 3 October 2026?")).toBe("talk.md");
  expect(await first("Who had tea yesterday?")).toBe("2026-11-16.md");
  // Nothing else of the question is in it.
  expect(await first("What happened yesterday?")).toBe("2026-11-16.md");
  expect((await search("What happened yesterday?")).hits[0]?.why.words).toContain("16 November 2026");
});

test("[M98] what is nowhere is not found, neither by words nor by meaning; what means the same is", async () => {
  const { search, embedder } = await setup({ "a.md": "The automobile is red", "b.md": "My doctor" });
  expect((await search("tea")).hits).toEqual([]);
  expect((await search("vehicle")).hits.map(({ chunk }) => chunk.document.path)).toEqual(["a.md"]);
  // A word of the question counts, however far the rest is.
  expect((await search("red tea")).hits.map(({ chunk }) => chunk.document.path)).toEqual(["a.md"]);
  delete (embedder as { leastRelated?: number }).leastRelated;
  expect((await search("tea")).hits, "of a model that nobody has measured").toHaveLength(2);
});

test("[M24] conversations do not push out notes that fit nearly as well", async () => {
  const talks = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`talk-${n}.md`, `tea tea tea, said number ${n}`]),
  );
  const { search } = await setup({
    ...talks,
    "kitchen.md": "Something about tea, and about much else besides",
  });
  const kinds = (await search("tea", 6)).hits.map(({ chunk }) => chunk.document.kind);
  expect(kinds).toContain("notes");
  expect(kinds.filter((kind) => kind === "session")).toHaveLength(5);
});

test("[M92] a model that does not answer in time leaves the search by words, and says so", async () => {
  const { store, embedder } = await setup({ "a.md": "The boiler was repaired by Quentin." });
  const starting: Embedder = {
    model: embedder.model,
    embed: (_texts, signal) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason as Error);
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
  };
  const patience = new AbortController();
  const searching = searchIndex(
    { store, embedder: starting, fusion: DEFAULT_FUSION, clock: { now: () => NOW } },
    "who repaired the boiler",
    { scopes: ["main"], limit: 5, meaningUntil: patience.signal },
    live,
  );
  patience.abort();
  const { hits, by, reason } = await searching;
  expect(hits).toMatchObject([{ chunk: { document: { path: "a.md" } } }]);
  expect({ by, reason }).toEqual({ by: "words", reason: "The model for embeddings did not answer in time." });
});
