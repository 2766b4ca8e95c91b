import { z } from "zod";
import { labelSchema, sha256Schema } from "./shared.ts";

/** The answer to a sender once its delivery is in the log. */
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
    /** The sender's own name for the event, if it is not in the payload. It is not signed. */
    event: z.string().optional(),
    contentType: z.string(),
    /** The hash of the original body, before redaction. */
    bytes: z.int().nonnegative(),
    sha256: sha256Schema,
    /** Parsed JSON or form fields, else text. */
    payload: z.unknown(),
    label: labelSchema,
  }),
} as const;
