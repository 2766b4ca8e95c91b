import { findPicture } from "@deputy/model/pictures";
import type { BlobStore, EventData } from "@deputy/protocol";
import type { SaidPicture } from "@deputy/protocol/openai";
import { GatewayError } from "../gateway-error.ts";

type Attachments = EventData<"user.message">["attachments"];

/** The pictures of one message as its attachments. */
export type KeepPictures = (pictures: readonly SaidPicture[]) => Promise<Attachments>;

const MOST_PICTURES = 20;

/**
 * Looks at all pictures of a request before any of them is kept: by their first bytes, nothing is unpacked. Throws
 * `invalid_request`, naming the first that is none.
 */
export function readPictures(
  blobs: Pick<BlobStore, "put">,
  pictures: readonly SaidPicture[],
  signal: AbortSignal,
): KeepPictures {
  if (pictures.length > MOST_PICTURES)
    throw new GatewayError("invalid_request", `A request may have ${MOST_PICTURES} pictures`);
  const looked = new Map(pictures.map((picture) => [picture, lookAt(picture)]));
  return async (wanted) => {
    const kept: Attachments = [];
    for (const picture of wanted) {
      const { bytes, mediaType } = looked.get(picture) ?? lookAt(picture);
      const { blobId, size } = await blobs.put(chunksOf(bytes), signal);
      const name = `picture-${kept.length + 1}.${mediaType.slice("image/".length)}`;
      kept.push({ blobId, mimeType: mediaType, name, size });
    }
    return kept;
  };
}

function lookAt({ field, base64 }: SaidPicture) {
  const bytes = Buffer.from(base64, "base64");
  const found = findPicture(bytes);
  if (found === undefined)
    throw new GatewayError("invalid_request", `${field}: this is no PNG, JPEG, GIF or WebP`, { field });
  return { bytes, mediaType: found.mediaType };
}

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
