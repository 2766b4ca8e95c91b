import type { Embedder } from "@deputy/embedder";
import { expect, test } from "vitest";
import type { ListedDocument, SourceProblem } from "../document.ts";
import { createInMemoryStore } from "../store/in-memory-store.ts";
import { embedPending } from "./embed-pending.ts";
import { syncDocuments, UnreadableDocument } from "./sync-documents.ts";

const live = new AbortController().signal;

interface Written {
  readonly text: string;
  readonly revision?: string;
  readonly fails?: "unreadable" | "vanished";
}

function setup() {
  const store = createInMemoryStore();
  const files = new Map<string, Written>();
  const problems: SourceProblem[] = [];
  const reads: string[] = [];
  const source = {
    list: async () => ({
      documents: [...files].map(([path, { text, revision = text, fails }]): ListedDocument => ({
        key: path,
        scope: "main",
        kind: "notes",
        path,
        revision,
        async read() {
          reads.push(path);
          if (fails === "unreadable") throw new UnreadableDocument("It may not be read");
          return fails === "vanished" ? undefined : { path, text };
        },
      })),
      problems,
    }),
  };
  const sync = (tokens = 40, signal = live) =>
    syncDocuments({ sources: [source], store, hash: (text) => text, size: { tokens, overlap: 8 } }, signal);
  const texts = async (): Promise<string[]> => {
    const all = await Promise.all([...(await store.documents()).keys()].map((key) => store.chunksOf(key)));
    return all.flat().map(({ text }) => text);
  };
  return { store, files, problems, reads, sync, texts };
}

test("[M30] indexes what is new, reads only what has changed, and removes what is gone", async () => {
  const { files, reads, sync, texts } = setup();
  files.set("a.md", { text: "apples" }).set("b.md", { text: "pears" });
  expect(await sync()).toEqual({ documents: 2, indexed: 2, removed: 0, problems: [] });
  expect(await sync()).toEqual({ documents: 2, indexed: 0, removed: 0, problems: [] });
  expect(reads).toEqual(["a.md", "b.md"]);
  files.set("a.md", { text: "apples and plums" }).delete("b.md");
  expect(await sync()).toEqual({ documents: 1, indexed: 1, removed: 1, problems: [] });
  expect(reads).toEqual(["a.md", "b.md", "a.md"]);
  expect(await texts()).toEqual(["apples and plums"]);
});

test("[M30] a document that was only touched is not indexed again", async () => {
  const { files, reads, sync } = setup();
  files.set("a.md", { text: "apples", revision: "1" });
  await sync();
  files.set("a.md", { text: "apples", revision: "2" });
  expect(await sync()).toMatchObject({ indexed: 0 });
  expect(await sync()).toMatchObject({ indexed: 0 });
  expect(reads).toHaveLength(2);
});

test("[M30] a changed size of pieces indexes everything anew", async () => {
  const { files, sync } = setup();
  files.set("a.md", { text: "apples" });
  await sync(40);
  expect(await sync(50)).toMatchObject({ indexed: 1 });
});

test("[M30] an abort ends it with the reason, and leaves whole documents", async () => {
  const { files, sync, store } = setup();
  files.set("a.md", { text: "apples" });
  await expect(sync(40, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  expect((await store.documents()).size).toBe(0);
  expect(await sync()).toMatchObject({ indexed: 1 });
});

test("[M31] a document that cannot be read stays as it was, marked stale and named", async () => {
  const { files, sync, store, texts } = setup();
  files.set("a.md", { text: "apples" });
  await sync();
  files.set("a.md", { text: "plums", fails: "unreadable" });
  expect(await sync()).toMatchObject({ problems: [{ path: "a.md", message: "It may not be read" }] });
  expect(await texts()).toEqual(["apples"]);
  expect((await store.documents()).get("a.md")?.isStale).toBe(true);
  files.set("a.md", { text: "plums" });
  await sync();
  expect((await store.documents()).get("a.md")?.isStale).toBe(false);
  expect(await texts()).toEqual(["plums"]);
});

test("[M31] what lies in a folder that cannot be looked at stays, marked stale", async () => {
  const { files, problems, sync, store } = setup();
  files.set("folder/a.md", { text: "apples" }).set("b.md", { text: "pears" });
  await sync();
  files.clear();
  problems.push({ keyPrefix: "folder/", path: "folder", message: "It may not be read" });
  expect(await sync()).toMatchObject({ removed: 1, problems: [{ path: "folder" }] });
  expect([...(await store.documents()).values()]).toMatchObject([{ key: "folder/a.md", isStale: true }]);
});

test("[M31] a file that vanishes while it is read is gone", async () => {
  const { files, sync, texts } = setup();
  files.set("a.md", { text: "apples" });
  await sync();
  files.set("a.md", { text: "plums", fails: "vanished" });
  expect(await sync()).toMatchObject({ documents: 0, removed: 1, problems: [] });
  expect(await texts()).toEqual([]);
});

test("[M32] embedding goes on where it stopped, and embeds nothing twice", async () => {
  const { files, sync, store } = setup();
  for (let n = 0; n < 20; n++) files.set(`${n}.md`, { text: `note number ${n}` });
  await sync();
  const embedded: string[] = [];
  let isIll = false;
  const embedder: Embedder = {
    model: "m",
    async embed(texts) {
      if (isIll) throw new Error("It is ill");
      isIll = true;
      embedded.push(...texts);
      return texts.map(() => Float32Array.of(1, 0));
    },
  };
  await expect(embedPending({ store, embedder }, live)).rejects.toThrow("It is ill");
  expect((await store.counts("m")).embedded).toBe(8);
  const progress: number[] = [];
  const well: Embedder = {
    ...embedder,
    async embed(texts) {
      embedded.push(...texts);
      return texts.map(() => Float32Array.of(1, 0));
    },
  };
  const onProgress = ({ done, total }: { done: number; total: number }): unknown =>
    progress.push(Math.round((100 * done) / total));
  expect(await embedPending({ store, embedder: well, onProgress }, live)).toBe(12);
  expect(progress).toEqual([40, 80, 100]);
  expect(new Set(embedded).size).toBe(20);
  expect(embedded).toHaveLength(20);
});
