import { z } from "zod";
import { streamIdSchema } from "../canonical-event.ts";
import { timestampSchema } from "../events/shared.ts";

/** Which events of the log are wanted. What is absent limits nothing. */
export const auditFilterSchema = z.strictObject({
  /** Types, or what they begin with: `call.settled`, `call`. */
  types: z
    .array(z.string().regex(/^[a-z]+(?:\.[a-z_]+)?$/))
    .max(20)
    .optional(),
  /** Of one conversation or task. */
  stream: streamIdSchema.optional(),
  since: timestampSchema.optional(),
  until: timestampSchema.optional(),
  /** Must be in what is told about it, however it is spelt. */
  text: z.string().min(1).max(200).optional(),
});
export type AuditFilterInput = z.infer<typeof auditFilterSchema>;

const auditedEventSchema = z.object({
  id: z.string(),
  at: timestampSchema,
  type: z.string(),
  stream: streamIdSchema,
  seq: z.int().nonnegative(),
  who: z.string().optional(),
  toolPath: z.string().optional(),
  summary: z.string(),
});
export type AuditedEvent = z.infer<typeof auditedEventSchema>;

export const auditPageSchema = z.object({
  events: z.array(auditedEventSchema),
  /** Absent: there is nothing before these. */
  cursor: z.string().optional(),
  /** How far back was looked. */
  lookedTo: timestampSchema.optional(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;
