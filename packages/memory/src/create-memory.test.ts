import type { Embedder } from "@deputy/embedder";
import { createPace } from "@deputy/kit/pace";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { createMemory } from "./create-memory.ts";
import type { DocumentSource } from "./document.ts";
import { DEFAULT_FUSION } from "./search/fuse.ts";
import { createInMemoryStore } from "./store/in-memory-store.ts";

const live = new AbortController().signal;
const embedder: Embedder = {
  model: "lengths",
  embed: async (texts) => texts.map((text) => Float32Array.of(Math.cos(text.length), Math.sin(text.length))),
};

function setup(
  options: {
    readonly embedder?: Embedder | undefined;
    readonly list?: DocumentSource["list"];
    /** How long it takes to read a file, while turns run all the time. */
    readonly readingMs?: number;
    /** True while turns run that matter more. */
    readonly isBusy?: () => boolean;
  } = {},
) {
  const files = new Map<string, string>();
  const reads: string[] = [];
  const clock = createFakeClock();
  let opened = 0;
  const source: DocumentSource = {
    list: async () => ({
      documents: [...files].map(([path, text]) => ({
        key: path,
        scope: path.startsWith("other/") ? "other" : path.startsWith("all/") ? "*" : "main",
        kind: "notes",
        path,
        revision: text,
        async read(signal) {
          reads.push(path);
          await clock.sleep(options.readingMs ?? 0, signal);
          return { path, text };
        },
      })),
      problems: [],
    }),
  };
  const memory = createMemory({
    openStore: async () => {
      opened++;
      return createInMemoryStore();
    },
    sources: [options.list === undefined ? source : { list: options.list }],
    embedder: options.embedder,
    hash: (text) => text,
    size: { tokens: 40, overlap: 8 },
    fusion: DEFAULT_FUSION,
    clock,
    ...((options.readingMs !== undefined || options.isBusy !== undefined) && {
      pace: createPace({ clock, isBusy: options.isBusy ?? (() => true), share: 0.1 }),
    }),
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(() => memory[Symbol.asyncDispose]());
  const search = async (question: string, scope = "main") => {
    const { hits, ...rest } = await memory.search(question, { scope, limit: 20 }, live);
    return { ...rest, paths: hits.map(({ chunk }) => chunk.document.path) };
  };
  return { memory, files, reads, clock, search, opened: () => opened };
}

test("[M33] every search sees what was written before it began", async () => {
  const { files, search, opened } = setup();
  expect(opened()).toBe(0);
  expect(await search("tea")).toMatchObject({ paths: [], isStale: false, by: "words" });
  files.set("a.md", "tea");
  const both = Promise.all([search("tea"), search("tea")]);
  expect(await both).toMatchObject([{ paths: ["a.md"] }, { paths: ["a.md"] }]);
  files.set("a.md", "coffee");
  expect(await search("tea")).toMatchObject({ paths: [] });
  expect(opened()).toBe(1);
});

test("[M33] a sync that takes too long is not waited for, and the answer says so", async () => {
  const listing = Promise.withResolvers<Awaited<ReturnType<DocumentSource["list"]>>>();
  const { search, clock } = setup({ list: () => listing.promise });
  const found = search("tea");
  await clock.advance(2_000);
  expect(await found).toMatchObject({ isStale: true });
  listing.resolve({ documents: [], problems: [] });
  expect(await search("tea")).toMatchObject({ isStale: false });
});

test("[M99] while turns run, new documents are read a tenth of the time; a search does not wait for that", async () => {
  const { memory, files, clock, search } = setup({ readingMs: 50 });
  await search("nothing");
  for (let at = 0; at < 100; at++) files.set(`${at}.md`, `tea ${at}`);
  memory.noteChange();
  for (let at = 0; at < 20_000; at += 10) await clock.advance(10);
  const listed = memory.list("main", live);
  for (let at = 0; at <= 2_000; at += 10) await clock.advance(10);
  // 20 seconds have room for 42 of them, and the two that the list waits for have room for 40 more.
  const left = 100 - (await listed).length;
  expect(left).toBeGreaterThan(10);
  expect(left).toBeLessThan(30);
});

test("[M33] who has less time says so", async () => {
  const listing = Promise.withResolvers<Awaited<ReturnType<DocumentSource["list"]>>>();
  const { memory, clock } = setup({ list: () => listing.promise });
  const found = memory.search("tea", { scope: "main", limit: 6, freshWithinMs: 300 }, live);
  await clock.advance(300);
  expect(await found).toMatchObject({ isStale: true });
  listing.resolve({ documents: [], problems: [] });
});

test("[M5] an agent finds its own and what is for everyone", async () => {
  const { files, search } = setup();
  files.set("a.md", "tea").set("other/b.md", "tea").set("all/c.md", "tea");
  expect((await search("tea")).paths.sort()).toEqual(["a.md", "all/c.md"]);
  expect((await search("tea", "other")).paths.sort()).toEqual(["all/c.md", "other/b.md"]);
});

test("[M32] vectors come in the background, or are waited for, with progress", async () => {
  const { memory, files, search } = setup({ embedder });
  for (let n = 0; n < 10; n++) files.set(`${n}.md`, `number ${n}`);
  const steps: string[] = [];
  const onProgress = ({ step, done, total }: { step: string; done: number; total: number }): unknown =>
    steps.push(`${step} ${done}/${total}`);
  const report = await memory.index({ onProgress }, live);
  expect(report).toMatchObject({ documents: 10, indexed: 10, problems: [] });
  expect(steps).toContain("reading 10/10");
  expect(steps).toContain("embedding 8/10");
  expect(steps.at(-1)).toBe("embedding 10/10");
  expect(await memory.status(live)).toMatchObject({
    documents: { notes: 10, daily: 0 },
    chunks: 10,
    embedded: 10,
    children: 10,
    model: "lengths",
  });
  files.set("new.md", "tea");
  expect((await search("tea")).paths).toContain("new.md");
  await expect.poll(async () => (await memory.status(live)).embedded).toBe(11);
});

test("[M22] a failing embedder is tried again later, and the status says what is wrong", async () => {
  let calls = 0;
  const ill: Embedder = {
    model: "ill",
    async embed() {
      calls++;
      throw new Error("It is ill");
    },
  };
  const { memory, files, search, clock } = setup({ embedder: ill });
  files.set("a.md", "tea");
  expect(await search("tea")).toMatchObject({ paths: ["a.md"], by: "words" });
  await expect.poll(async () => (await memory.status(live)).embedderProblem).toBe("It is ill");
  const before = calls;
  await search("tea");
  expect(calls).toBe(before);
  await clock.advance(300_000);
  await search("tea");
  await expect.poll(() => calls).toBeGreaterThan(before);
});

test("[M23] shows the pieces of a document, and nothing of other agents", async () => {
  const { memory, files } = setup();
  files.set("a.md", "tea").set("other/b.md", "secret");
  expect((await memory.show("a.md", "main", live)).map(({ text }) => text)).toEqual(["tea"]);
  expect(await memory.show("other/b.md", "main", live)).toEqual([]);
});

test("[M7] a closed memory says so", async () => {
  const { memory, search } = setup();
  await search("tea");
  await memory[Symbol.asyncDispose]();
  await expect(search("tea")).rejects.toMatchObject({ code: "memory_closed" });
  memory.noteChange();
});

test("[M40] the list says who wrote parts of each file; of conversations it does not", async () => {
  const text = "The shop is Pedalo.";
  const list: DocumentSource["list"] = async () => ({
    documents: (["notes", "session"] as const).map((kind) => ({
      key: kind,
      scope: "main",
      kind,
      path: kind,
      revision: "1",
      read: async () => ({
        path: kind,
        text,
        foreign: [{ from: 0, to: text.length, source: "mail eve" }],
      }),
    })),
    problems: [],
  });
  const { memory } = setup({ list });
  const [notes, session] = await memory.list("main", live);
  expect(notes).toMatchObject({ path: "notes", foreign: ["mail eve"] });
  expect(session).not.toHaveProperty("foreign");
});

test("[M80] while the index is made again for another model, the one before answers, marked stale; then the new one does", async () => {
  const store = createInMemoryStore();
  const asked: string[] = [];
  const named = (model: string, gate: Promise<void>): Embedder => ({
    model,
    async embed(texts, _signal, role) {
      asked.push(`${model} ${role ?? "text"}`);
      if (role !== "question") await gate;
      return texts.map((text) => (/tea|drink/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1)));
    },
  });
  const open = (using: Embedder, former: Embedder | undefined) => {
    const made = createMemory({
      openStore: async () => ({ ...store, async [Symbol.asyncDispose]() {} }),
      sources: [
        {
          list: async () => ({
            documents: Array.from({ length: 12 }, (_, at) => ({
              key: `n${at}`,
              scope: "main",
              kind: "notes" as const,
              path: `n${at}.md`,
              revision: "1",
              read: async () => ({
                path: `n${at}.md`,
                text: at === 7 ? "Green tea in the morning" : `Shelf ${at}`,
              }),
            })),
            problems: [],
          }),
        },
      ],
      embedder: using,
      formerEmbedder: (model) => (model === former?.model ? former : undefined),
      hash: (text) => text,
      size: { tokens: 40, overlap: 8 },
      fusion: DEFAULT_FUSION,
      clock: createFakeClock(),
      onBug: (error) => {
        throw error;
      },
    });
    onTestFinished(() => made[Symbol.asyncDispose]());
    return made;
  };
  const drink = { scope: "main", limit: 1 };
  const old = named("old", Promise.resolve());
  await open(old, undefined).index({}, live);

  const gate = Promise.withResolvers<void>();
  const memory = open(named("new", gate.promise), old);
  const between = await memory.search("something to drink", drink, live);
  expect(between).toMatchObject({ by: "words and meaning", isStale: true });
  expect(between.rebuilding).toBe("0 of 12 pieces are indexed for new; until most are, old answers.");
  expect(between.hits[0]?.chunk.document.path).toBe("n7.md");
  expect(await memory.status(live)).toMatchObject({ model: "new", formerModel: "old", embedded: 0 });
  expect(asked.at(-1)).toBe("old question");

  gate.resolve();
  await memory.index({}, live);
  const after = await memory.search("something to drink", drink, live);
  expect(after).toMatchObject({ by: "words and meaning", isStale: false });
  expect([after.rebuilding, asked.at(-1)]).toEqual([undefined, "new question"]);
  expect(await memory.status(live)).toMatchObject({ formerModel: undefined, embedded: 12 });
  expect((await store.counts("new")).former).toBeUndefined();
});

test("[M80] without the model before, words alone are searched meanwhile", async () => {
  const { files, memory, search } = setup({
    embedder: {
      model: "new",
      embed: (_texts, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("ended")))),
    },
  });
  files.set("a.md", "tea");
  expect(await search("tea")).toMatchObject({ by: "words", paths: ["a.md"] });
  expect(await memory.status(live)).toMatchObject({ formerModel: undefined });
});

test("[M100] what was written after a search is taken in once all is quiet, without anybody asking again", async () => {
  let isBusy = true;
  const { files, reads, clock, search } = setup({ isBusy: () => isBusy });
  await search("tea");
  files.set("a.md", "tea");
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) await clock.advance(1_000);
  };
  await pass(30);
  expect(reads).toEqual([]);
  isBusy = false;
  await pass(3);
  expect(reads).toEqual(["a.md"]);
  await pass(30);
  expect(reads).toEqual(["a.md"]);
});
