import type { BlobStore } from "@deputy/protocol";
import type { ToolContext } from "@deputy/tools";
import type { Attachment } from "./receipt.ts";

/** What one call has kept for the user, in order. */
export interface CallAttachments {
  /** Rejects as the store does, or when there are too many. */
  add(
    content: Parameters<NonNullable<ToolContext["attach"]>>[0],
    signal: AbortSignal,
  ): Promise<{ readonly blobId: string }>;
  list(): readonly Attachment[];
}

const MOST_OF_A_CALL = 20;

export function createCallAttachments(blobs: Pick<BlobStore, "put">): CallAttachments {
  const kept: Attachment[] = [];
  return {
    async add({ bytes, mimeType, name }, signal) {
      if (kept.length >= MOST_OF_A_CALL) throw new Error(`A call has ${MOST_OF_A_CALL} attachments at most`);
      const { blobId } = await blobs.put(once(bytes), signal);
      kept.push({ blobId, mimeType, name });
      return { blobId };
    },
    list: () => [...kept],
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
