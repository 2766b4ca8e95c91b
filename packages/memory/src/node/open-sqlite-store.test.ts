import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInMemoryStore, type MemoryStore, readQuery } from "@deputy/memory";
import { openDatabase } from "@deputy/sqlite";
import { describeMemoryStore, documentOf } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.ts";

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "memory-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

describeMemoryStore("store on SQLite", () => openSqliteStore(join(scratch(), "memory.db")));

const LINES = [
  "Anna moved to Vienna in May",
  "Ben likes the mountains near Vienna",
  "The mountains were white in May, in May and in May",
  "Anna and Ben talked about Anna's new flat and the mountains",
  "明天下午有会议室",
];

test.each(["where did Anna move?", "mountains in May", "Vienna", "“new flat”", "会议"])(
  "[M3] ranks as the store in memory does: %s",
  async (question) => {
    await using onDisk = await openSqliteStore(join(scratch(), "memory.db"));
    await using inMemory = createInMemoryStore();
    for (const store of [onDisk, inMemory]) await store.put(...documentOf("a.md", ...LINES));
    const expected = await inMemory.byWords(readQuery(question), ["main"], 10);
    const found = await onDisk.byWords(readQuery(question), ["main"], 10);
    expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    found.forEach(({ score }, at) => expect(score).toBeCloseTo(expected[at]?.score ?? 0, 4));
    expect(found.length).toBeGreaterThan(0);
  },
);

test("[M4] finds by meaning after a restart, and what is added and removed afterwards", async () => {
  const path = join(scratch(), "memory.db");
  const vector = Float32Array.from({ length: 384 }, (_, at) => Math.sin(at) / 13.86);
  {
    await using store = await openSqliteStore(path);
    await store.put(...documentOf("a.md", "tea", "milk"));
    await store.putVectors("m", new Map([["#tea", vector]]));
  }
  await using store = await openSqliteStore(path);
  const near = async (): Promise<string[]> => {
    const scored = await store.byMeaning("m", vector, ["main"], 10);
    return (await store.chunks(scored.map(({ id }) => id))).map(({ document }) => document.key);
  };
  expect(await near()).toEqual(["a.md"]);
  await store.put(...documentOf("b.md", "tea"));
  expect(await near()).toEqual(["a.md", "b.md"]);
  await store.remove(["a.md"]);
  expect(await near()).toEqual(["b.md"]);
  await store.put(...documentOf("c.md", "tea", "water"));
  await store.putVectors("m", new Map([["#water", vector.map((value) => -value)]]));
  expect(await near()).toEqual(["b.md", "c.md", "c.md"]);
});

test("[M4] what is counted and pending is the same as after a restart, whatever was changed", async () => {
  const path = join(scratch(), "memory.db");
  const words = fc.constantFrom("tea", "milk", "water", "salt");
  const change = fc.oneof(
    fc.record({ put: fc.constantFrom("a.md", "b.md"), lines: fc.array(words, { maxLength: 4 }) }),
    fc.record({ remove: fc.constantFrom("a.md", "b.md") }),
    fc.record({ vector: words, model: fc.constantFrom("m", "n") }),
    fc.record({ prune: fc.constantFrom("m", "n") }),
  );
  await using store = await openSqliteStore(path);
  const stateOf = async (each: MemoryStore) =>
    Promise.all([each.counts("m"), each.pending("m", 9), each.counts("n"), each.pending("n", 9)]);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      for (const each of changes) {
        if ("put" in each) await store.put(...documentOf(each.put, ...each.lines));
        else if ("remove" in each) await store.remove([each.remove]);
        else if ("prune" in each) await store.prune(each.prune);
        else await store.putVectors(each.model, new Map([[`#${each.vector}`, Float32Array.of(1, 0, 0, 0)]]));
        await store.counts("m");
        await store.pending("m", 2);
      }
      await using other = await openSqliteStore(path);
      expect(await stateOf(store)).toEqual(await stateOf(other));
    }),
    { numRuns: 40 },
  );
});

test("[M4] sees what another process has changed", async () => {
  const path = join(scratch(), "memory.db");
  const vector = Float32Array.of(1, 0, 0, 0);
  await using mine = await openSqliteStore(path);
  await using theirs = await openSqliteStore(path);
  expect(await mine.byMeaning("m", vector, ["main"], 5)).toEqual([]);
  await theirs.put(...documentOf("a.md", "tea"));
  await theirs.putVectors("m", new Map([["#tea", vector]]));
  expect(await mine.byMeaning("m", vector, ["main"], 5)).toHaveLength(1);
  await theirs.remove(["a.md"]);
  expect(await mine.byMeaning("m", vector, ["main"], 5)).toEqual([]);
});

test("[M6] after scrubbing, no file has a word of what was removed, nor its vector", async () => {
  const directory = scratch();
  await using store = await openSqliteStore(join(directory, "memory.db"));
  const vector = Float32Array.from({ length: 8 }, (_, at) => (at + 1) / 15);
  for (let n = 0; n < 50; n++) await store.put(...documentOf(`keep-${n}.md`, `note ${n} about tea`));
  await store.put(...documentOf("secret-zebra.md", "codeword xylophone comet", "more of the quagmire"));
  await store.putVectors("m", new Map([["#codeword xylophone comet", vector]]));
  const everything = (): string =>
    readdirSync(directory)
      .map((name) => readFileSync(join(directory, name), "latin1"))
      .join("\n");
  expect(everything()).toContain("xylophon");
  await store.remove(["secret-zebra.md"]);
  await store.prune("m");
  await store.scrub();
  const left = everything();
  for (const word of ["zebra", "xylophon", "comet", "quagmir", "codeword"]) expect(left).not.toContain(word);
  const packed = Buffer.from(
    Int8Array.from({ length: 8 }, (_, at) => Math.round(((at + 1) * 127) / 8)).buffer,
  );
  expect(left).not.toContain(packed.toString("latin1"));
  expect(await store.byWords(readQuery("tea"), ["main"], 100)).toHaveLength(50);
});

test.each([
  ["garbage", (path: string) => writeFileSync(path, "x".repeat(10_000))],
  ["a truncated file", (path: string) => truncateSync(path, 5_000)],
  [
    "a newer version",
    (path: string) => {
      using db = openDatabase(path);
      db.exec("PRAGMA user_version = 99");
    },
  ],
])("[M7] %s is not opened", async (_, damage) => {
  const path = join(scratch(), "memory.db");
  {
    await using store = await openSqliteStore(path);
    for (let n = 0; n < 20; n++) await store.put(...documentOf(`${n}.md`, "tea ".repeat(200)));
  }
  damage(path);
  await expect(
    openSqliteStore(path).then(async (store) => {
      await using opened = store;
      return await opened.documents();
    }),
  ).rejects.toMatchObject({ code: "memory_unavailable" });
});

test("[M7] a closed store says so", async () => {
  const store = await openSqliteStore(join(scratch(), "memory.db"));
  await store[Symbol.asyncDispose]();
  await expect(async () => store.documents()).rejects.toMatchObject({ code: "memory_closed" });
});

test("[M8] kill -9 while documents are put leaves each of them whole, and none twice", async () => {
  const path = join(scratch(), "memory.db");
  for (let round = 0; round < 2; round++) {
    const child = fork(fileURLToPath(new URL("./put-forever.child.ts", import.meta.url)), [path], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exited = once(child, "exit");
    // It reports each document once it is put.
    for (let seen = 0; seen < 5 + round * 7; seen++) await once(child, "message");
    child.kill("SIGKILL");
    await exited;
    await using store = await openSqliteStore(path);
    const documents = await store.documents();
    expect(documents.size).toBeGreaterThan(0);
    let pieces = 0;
    for (const [key, { revision }] of documents) {
      const chunks = await store.chunksOf(key);
      expect(chunks.map(({ text }) => text)).toEqual(
        Array.from({ length: 20 }, (_, at) => `line ${at} of revision ${revision}`),
      );
      pieces += chunks.length;
    }
    const found = await store.byWords(readQuery("revision"), ["main"], 10_000);
    expect(new Set(found.map(({ id }) => id)).size).toBe(pieces);
  }
});
