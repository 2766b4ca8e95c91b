import { z } from "zod";
import { attachmentSchema, idSchema, labelSchema, sha256Schema } from "./shared.ts";

export const sessionEvents = {
  "session.started": z.object({ agentId: z.string(), key: z.string(), channel: z.string() }),
  "user.message": z.object({
    text: z.string(),
    attachments: z.array(attachmentSchema),
    channel: z.string(),
    sender: z.string(),
    trust: labelSchema.shape.trust,
  }),
  "session.compacted": z.object({
    fromSeq: z.int(),
    throughSeq: z.int(),
    summary: z.string(),
    archive: z.string(),
  }),
  "event.erased": z.object({
    eventId: idSchema("event"),
    seq: z.int(),
    payloadHash: sha256Schema,
    by: z.string(),
    reason: z.string().optional(),
  }),
  error: z.object({ code: z.string(), message: z.string() }),
} as const;
