import { z } from "zod";

export const retentionEvents = {
  /** Data that is no longer needed was removed, by the `retention` settings. */
  "retention.pruned": z.object({
    /** For deliveries: the payloads were erased; the deliveries' own streams record it too. */
    what: z.enum(["deliveries", "blobs", "runs"]),
    count: z.int().positive(),
    reason: z.string(),
    /** For blobs: the ids of the removed ones. */
    blobIds: z.array(z.string()).optional(),
  }),
} as const;
