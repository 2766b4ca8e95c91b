import { describeBlobStore } from "@deputy/testing";
import { expect, test } from "vitest";
import { createMemoryBlobStore } from "./memory-blob-store.ts";

describeBlobStore("blobs in memory", createMemoryBlobStore);

test("[B11] lists and removes blobs unused since a given time, and keeps the others", async () => {
  let nowMs = 1_000;
  const blobs = createMemoryBlobStore(undefined, () => nowMs);
  const put = (text: string) => blobs.put(new Blob([text]).stream(), new AbortController().signal);
  const [old, read] = [await put("old"), await put("read")];
  nowMs = 2_000;
  await blobs.open(read.blobId);
  expect(await blobs.unusedSince(2_000)).toEqual([old.blobId]);
  for (const { blobId } of [old, read]) await blobs.removeUnused(blobId, 2_000);
  expect([await blobs.open(old.blobId), (await blobs.open(read.blobId))?.size]).toEqual([undefined, 4]);
});
