import { CodedError } from "@deputy/kit";
import { sha256Schema } from "../events/shared.ts";
import { z } from "zod";

/**
 * Attachments, by their content: the id is the SHA-256 of the bytes, so the same bytes are kept once, and
 * what is read under an id is what was put there. Names and media types belong to whoever refers to a blob.
 */
export interface BlobStore {
  /**
   * Survives a power cut once resolved. Idempotent. Rejects with `blob_too_large`, `blob_storage_full` or
   * `blob_failed`, with the signal's reason, or with what `chunks` throws; nothing is left behind then.
   */
  put(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredBlob>;
  /** Undefined when there is none, also for what can be no id. Rejects with `blob_failed`. */
  open(id: string): Promise<OpenBlob | undefined>;
}

/** Lists the blobs of a store by their last use, so that unreferenced ones can be removed. */
export interface UnusedBlobs {
  /** Those that were put or opened last before that moment. Rejects with `blob_failed`. */
  unusedSince(beforeMs: number): Promise<readonly string[]>;
  /** Removes one, unless it was put or opened since that moment. Idempotent. Rejects with `blob_failed`. */
  removeUnused(id: string, beforeMs: number): Promise<void>;
}

export interface StoredBlob {
  readonly blobId: string;
  readonly size: number;
}

export interface OpenBlob extends StoredBlob {
  /**
   * Once. Throws `blob_damaged` before its last piece when the bytes are not those that were put there. A
   * blob that is opened must be read or disposed.
   */
  readonly chunks: AsyncIterable<Uint8Array> & AsyncDisposable;
}

/** True if the text has the form of a blob id. Nothing else may become part of a path. */
export function isBlobId(text: string): boolean {
  return sha256Schema.safeParse(text).success;
}

export const LARGEST_BLOB_BYTES = 25_000_000;

export const blobStoreErrorCodes = [
  "blob_too_large",
  "blob_storage_full",
  "blob_failed",
  "blob_damaged",
] as const;
export type BlobStoreErrorCode = (typeof blobStoreErrorCodes)[number];

export class BlobStoreError extends CodedError<BlobStoreErrorCode> {}

/** Body of the answer to `POST /api/blobs`. */
export const storedBlobSchema = z.object({ blobId: sha256Schema, size: z.int().nonnegative() });

const MOST_OF_A_MESSAGE = 20;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** What a message refers to: blobs that were put before, called what its sender calls them. */
export const attachmentRefsSchema = z
  .array(
    z.strictObject({
      blobId: sha256Schema,
      name: z.string().regex(/\S/, "is blank").max(200).optional(),
      mimeType: z.string().regex(MEDIA_TYPE, "is no media type").max(100).optional(),
    }),
  )
  .max(MOST_OF_A_MESSAGE);
export type AttachmentRef = z.infer<typeof attachmentRefsSchema>[number];
