import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeBlobStore } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { openBlobDirectory } from "./blob-directory.ts";

const live = new AbortController().signal;
const bytesOf = (text: string) =>
  (async function* read() {
    yield Buffer.from(text);
  })();

function setup() {
  const home = mkdtempSync(join(tmpdir(), "blobs-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const directory = join(home, "blobs");
  return { home, directory, store: openBlobDirectory(directory) };
}

describeBlobStore("blobs in a directory", (limits) => {
  const { directory } = setup();
  return openBlobDirectory(directory, limits);
});

test("[B6] only the owner can read the directory and the files", async () => {
  const { directory, store } = setup();
  const { blobId } = await store.put(bytesOf("mine"), live);
  expect(readdirSync(directory)).toEqual([blobId]);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, blobId)).mode & 0o777).toBe(0o600);
});

test("[B7] refuses to hand out bytes that were changed on the disk", async () => {
  const { directory, store } = setup();
  const { blobId } = await store.put(bytesOf("the truth"), live);
  for (const text of ["a lie now", "the", "the truth and more", ""]) {
    writeFileSync(join(directory, blobId), text);
    const blob = await store.open(blobId);
    await expect(Array.fromAsync(blob?.chunks ?? [])).rejects.toMatchObject({ code: "blob_damaged" });
  }
  await store.put(bytesOf("the truth"), live);
  const mended = await store.open(blobId);
  expect(String(Buffer.concat(await Array.fromAsync(mended?.chunks ?? [])))).toBe("the truth");
});

test("[B5] does not follow a link or a directory under a blob's id (GC27)", async () => {
  const { home, directory, store } = setup();
  await store.put(bytesOf("x"), live);
  const secret = join(home, "key");
  writeFileSync(secret, "secret");
  symlinkSync(secret, join(directory, "1".repeat(64)));
  symlinkSync(home, join(directory, "2".repeat(64)));
  expect(await store.open("1".repeat(64))).toBeUndefined();
  expect(await store.open("2".repeat(64))).toBeUndefined();
  expect(readFileSync(secret, "utf8")).toBe("secret");
});

test("[B8] the next process removes half-written files and never reads them", async () => {
  const { directory, store } = setup();
  const { blobId } = await store.put(bytesOf("whole"), live);
  writeFileSync(join(directory, ".draft-0001"), "hal");
  await openBlobDirectory(directory).put(bytesOf("whole"), live);
  expect(readdirSync(directory)).toEqual([blobId]);
});

test("[B9] reports a directory that cannot be written, and works again once it can", async () => {
  const { directory, store } = setup();
  writeFileSync(directory, "a file in its place");
  await expect(store.put(bytesOf("x"), live)).rejects.toMatchObject({ code: "blob_failed" });
  expect(await store.open("0".repeat(64))).toBeUndefined();
  rmSync(directory);
  expect((await store.put(bytesOf("x"), live)).size).toBe(1);
});

test("[B10] disposing of an unread blob closes its file", async () => {
  const { store } = setup();
  const { blobId } = await store.put(bytesOf("x"), live);
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let i = 0; i < 20; i++) {
    const blob = await store.open(blobId);
    await blob?.chunks[Symbol.asyncDispose]();
  }
  expect(open()).toBeLessThanOrEqual(before + 1);
});

test("[B11] lists and removes blobs unused since a given time, and keeps the others", async () => {
  const { directory, store } = setup();
  expect(await store.unusedSince(Date.now())).toEqual([]);
  const [old, opened, again] = await Promise.all(
    ["old", "opened", "again"].map(async (text) => (await store.put(bytesOf(text), live)).blobId),
  );
  if (old === undefined || opened === undefined || again === undefined) throw new Error("Nothing was put");
  const then = new Date(Date.now() - 60_000);
  for (const id of [old, opened, again]) utimesSync(join(directory, id), then, then);
  const before = Date.now() - 30_000;
  expect((await store.unusedSince(before)).toSorted()).toEqual([old, opened, again].toSorted());
  const blob = await store.open(opened);
  await blob?.chunks[Symbol.asyncDispose]();
  // At the same time: in either order, the blob exists in the end.
  await Promise.all([store.removeUnused(again, before), store.put(bytesOf("again"), live)]);
  for (const id of [old, old, opened, "../key", "0".repeat(64)]) await store.removeUnused(id, before);
  expect(readdirSync(directory).toSorted()).toEqual([opened, again].toSorted());
});
