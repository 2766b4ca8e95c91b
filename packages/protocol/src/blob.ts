import { z } from "zod";
import { sha256Schema } from "./events/shared.ts";

/** Body of the answer to `POST /api/blobs`. */
export const storedBlobSchema = z.object({ blobId: sha256Schema, size: z.int().nonnegative() });
