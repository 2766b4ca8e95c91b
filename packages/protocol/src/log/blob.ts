import { z } from "zod";
import { sha256Schema } from "../events/shared.ts";

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
