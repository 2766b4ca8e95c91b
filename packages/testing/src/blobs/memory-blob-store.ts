import { createHash } from "node:crypto";
import { type BlobStore, BlobStoreError, LARGEST_BLOB_BYTES } from "@deputy/protocol";

/** Keeps blobs in memory, for tests. */
export function createMemoryBlobStore(
  limits: { readonly blobBytes: number } = { blobBytes: LARGEST_BLOB_BYTES },
): BlobStore {
  const blobs = new Map<string, Uint8Array>();
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
      const bytes = Buffer.concat(parts);
      const blobId = createHash("sha256").update(bytes).digest("hex");
      blobs.set(blobId, bytes);
      return { blobId, size };
    },
    async open(id) {
      const bytes = blobs.get(id);
      if (bytes === undefined) return undefined;
      async function* read(): AsyncGenerator<Uint8Array> {
        if (bytes !== undefined && bytes.byteLength > 0) yield bytes;
      }
      return {
        blobId: id,
        size: bytes.byteLength,
        chunks: Object.assign(read(), { [Symbol.asyncDispose]: async () => undefined }),
      };
    },
  };
}
