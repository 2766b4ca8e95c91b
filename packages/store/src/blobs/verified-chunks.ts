import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { BlobStoreError, type OpenBlob, type StoredBlob } from "@deputy/protocol";

const CHUNK_BYTES = 65_536;

/** The bytes of a file, the last of them only when they are all those that its name says. Closes the file. */
export function verifiedChunks(file: FileHandle, blob: StoredBlob): OpenBlob["chunks"] {
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      const hash = createHash("sha256");
      let held: Uint8Array | undefined;
      for (let at = 0; at < blob.size;) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        if (held !== undefined) yield held;
        held = chunk;
      }
      if (hash.digest("hex") !== blob.blobId)
        throw new BlobStoreError("blob_damaged", "The attachment is not what was put there");
      if (held !== undefined) yield held;
    } finally {
      await file.close();
    }
  }
  const chunks = read();
  let isStarted = false;
  return {
    [Symbol.asyncIterator]() {
      isStarted = true;
      return chunks;
    },
    /** A generator that never began has no `finally` to run. */
    async [Symbol.asyncDispose]() {
      if (isStarted) await chunks.return(undefined);
      else await file.close();
    },
  };
}
