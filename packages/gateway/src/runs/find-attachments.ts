import type { AttachmentRef, BlobStore, EventData } from "@deputy/protocol";
import { GatewayError } from "../gateway-error.ts";

const UNNAMED = "unnamed";
const ANY_BYTES = "application/octet-stream";

/**
 * A message's attachments, as its event has them; their content is not read. Rejects with `not_found`, naming the
 * first one that was never uploaded, and as the blob store does.
 */
export async function findAttachments(
  blobs: Pick<BlobStore, "open">,
  refs: readonly AttachmentRef[],
): Promise<EventData<"user.message">["attachments"]> {
  const found: EventData<"user.message">["attachments"] = [];
  for (const [at, { blobId, name = UNNAMED, mimeType = ANY_BYTES }] of refs.entries()) {
    // One by one, because each holds a file open.
    const blob = await blobs.open(blobId);
    if (blob === undefined) {
      const field = `attachments.${at}.blobId`;
      throw new GatewayError("not_found", `${field}: there is no attachment ${blobId}`, { field });
    }
    await blob.chunks[Symbol.asyncDispose]();
    found.push({ blobId, mimeType, name, size: blob.size });
  }
  return found;
}
