import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readQuery } from "@deputy/memory";
import { openDatabase } from "@deputy/sqlite";
import { createFakeClock, describeMemoryStore, documentOf } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { openIndexThread } from "./open-index-thread.ts";

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "memory-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const open = (path: string) =>
  openIndexThread(path, { clock: createFakeClock(), onDamaged: () => undefined });

describeMemoryStore("store in a thread", async () => open(join(scratch(), "memory.db")));

test("[M63] the thread starts with the first request, ends when it is idle, and the next request starts another", async () => {
  const path = join(scratch(), "memory.db");
  const clock = createFakeClock();
  await using store = openIndexThread(path, { clock, onDamaged: () => undefined });
  expect(existsSync(path)).toBe(false);
  await store.put(...documentOf("a.md", "tea"));
  expect(existsSync(`${path}-wal`)).toBe(true);
  await clock.advance(120_000);
  // A closed database has no write-ahead log.
  await expect.poll(() => existsSync(`${path}-wal`)).toBe(false);
  expect([...(await store.documents()).keys()]).toEqual(["a.md"]);
  expect(await store.byWords(readQuery("tea"), ["main"], 5)).toHaveLength(1);
});

test("[M63] what is known of documents is what the file has, whoever has changed it", async () => {
  const path = join(scratch(), "memory.db");
  await using store = open(path);
  const [first] = documentOf("a.md", "tea");
  await store.put(...documentOf("a.md", "tea"));
  await store.documents();
  await store.put(...documentOf("b.md", "milk"));
  await store.update([
    { ...first, revision: "2" },
    { ...first, key: "unknown.md" },
  ]);
  await store.remove(["b.md"]);
  expect([...(await store.documents()).values()]).toEqual([{ ...first, revision: "2" }]);
  {
    using db = openDatabase(path, { timeoutMs: 2_000 });
    db.exec("UPDATE documents SET revision = '3'");
  }
  expect([...(await store.documents()).values()]).toEqual([{ ...first, revision: "3" }]);
});
