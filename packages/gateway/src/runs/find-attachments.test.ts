import type { BlobStore } from "@deputy/protocol";
import { createMemoryBlobStore } from "@deputy/testing";
import { expect, test } from "vitest";
import { findAttachments } from "./find-attachments.ts";

async function setup() {
  const store = createMemoryBlobStore();
  const open = new Set<symbol>();
  /** The most that were open at a time. */
  const seen = { open: 0 };
  const blobs: Pick<BlobStore, "open"> = {
    async open(id) {
      const blob = await store.open(id);
      if (blob === undefined) return undefined;
      const handle = Symbol(id);
      open.add(handle);
      seen.open = Math.max(seen.open, open.size);
      const dispose = async (): Promise<void> => void open.delete(handle);
      return { ...blob, chunks: Object.assign(blob.chunks, { [Symbol.asyncDispose]: dispose }) };
    },
  };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1, 2, 3);
  }
  const { blobId } = await store.put(bytes(), new AbortController().signal);
  return { blobs, blobId, open, seen };
}

test("[G48] opens a message's attachments one at a time, and leaves none open", async () => {
  const { blobs, blobId, open, seen } = await setup();
  const found = await findAttachments(blobs, [{ blobId }, { blobId, name: "again" }]);
  expect(found.map(({ name, size }) => [name, size])).toEqual([
    ["unnamed", 3],
    ["again", 3],
  ]);
  const missing = { blobId: "0".repeat(64) };
  await expect(findAttachments(blobs, [{ blobId }, missing])).rejects.toMatchObject({
    code: "not_found",
    field: "attachments.1.blobId",
  });
  expect([seen.open, open.size]).toEqual([1, 0]);
});
