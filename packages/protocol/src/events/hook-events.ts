import { z } from "zod";
import { labelSchema, sha256Schema } from "./shared.ts";

/** What a sender is told once its delivery is in the log. */
export const deliveryReceiptSchema = z.object({
  deliveryId: z.string(),
  /** It was there already; nothing was added. */
  duplicate: z.boolean(),
});

export const hookEvents = {
  /** Somebody else's machine reported something, and showed that it may. It is the first event of a delivery's stream. */
  "hook.received": z.object({
    /** The hook's id, which no other ever has, and its name at the time. */
    hookId: z.string(),
    hook: z.string(),
    /** As the sender calls it, or the hash of what it sent. */
    deliveryId: z.string(),
    scheme: z.string(),
    /** What the sender says it is about, where that is not in the payload. Nobody vouches for it. */
    event: z.string().optional(),
    contentType: z.string(),
    /** Of the body as it came, before anything was redacted. */
    bytes: z.int().nonnegative(),
    sha256: sha256Schema,
    /** Parsed JSON or form fields, else text. */
    payload: z.unknown(),
    label: labelSchema,
  }),
} as const;
