import { z } from "zod";

export const retentionEvents = {
  /** What nobody needed any more is gone, by the rules of `retention` in the settings. */
  "retention.pruned": z.object({
    /** Of deliveries the payloads were erased, which their own streams say too. */
    what: z.enum(["deliveries", "blobs", "runs"]),
    count: z.int().positive(),
    reason: z.string(),
    /** Of blobs: which ones. */
    blobIds: z.array(z.string()).optional(),
  }),
} as const;
