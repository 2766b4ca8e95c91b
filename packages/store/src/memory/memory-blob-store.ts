import { type BlobStore, BlobStoreError, LARGEST_BLOB_BYTES, type UnusedBlobs } from "@deputy/protocol";
import { sha256 } from "./sha256.ts";

/** Keeps blobs in memory until it is garbage-collected. */
export function createMemoryBlobStore(
  limits: { readonly blobBytes: number } = { blobBytes: LARGEST_BLOB_BYTES },
  now: () => number = Date.now,
): BlobStore & UnusedBlobs {
  const blobs = new Map<string, { readonly bytes: Uint8Array; usedMs: number }>();
  return {
    async put(chunks, signal) {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        size += chunk.byteLength;
        if (size > limits.blobBytes) throw new BlobStoreError("blob_too_large", "It is too large");
        parts.push(Uint8Array.from(chunk));
      }
      signal.throwIfAborted();
      const bytes = new Uint8Array(size);
      parts.reduce((at, part) => (bytes.set(part, at), at + part.byteLength), 0);
      const blobId = sha256(bytes);
      blobs.set(blobId, { bytes, usedMs: now() });
      return { blobId, size };
    },
    async open(id) {
      const blob = blobs.get(id);
      if (blob === undefined) return undefined;
      blob.usedMs = now();
      const { bytes } = blob;
      async function* read(): AsyncGenerator<Uint8Array> {
        if (bytes.byteLength > 0) yield bytes;
      }
      return {
        blobId: id,
        size: bytes.byteLength,
        chunks: Object.assign(read(), { [Symbol.asyncDispose]: async () => undefined }),
      };
    },
    unusedSince: async (beforeMs) =>
      [...blobs].filter(([, { usedMs }]) => usedMs < beforeMs).map(([id]) => id),
    async removeUnused(id, beforeMs) {
      if ((blobs.get(id)?.usedMs ?? beforeMs) < beforeMs) blobs.delete(id);
    },
  };
}
