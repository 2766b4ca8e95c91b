import type { Embedder } from "@deputy/embedder";
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
  options: { readonly embedder?: Embedder | undefined; readonly list?: DocumentSource["list"] } = {},
) {
  const files = new Map<string, string>();
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
        read: async () => ({ path, text }),
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
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(() => memory[Symbol.asyncDispose]());
  const search = async (question: string, scope = "main") => {
    const { hits, ...rest } = await memory.search(question, { scope, limit: 20 }, live);
    return { ...rest, paths: hits.map(({ chunk }) => chunk.document.path) };
  };
  return { memory, files, clock, search, opened: () => opened };
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
