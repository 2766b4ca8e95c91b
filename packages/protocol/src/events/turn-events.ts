import { z } from "zod";
import { costSchema, idSchema, usageSchema } from "./shared.ts";

/** On the last event of a model's answer, which is written as a whole. */
export const answerSchema = z.object({
  usage: usageSchema,
  stop: z.string(),
  /** The last event of the stream that the model had seen. */
  throughSeq: z.int().nonnegative(),
});

export const turnEvents = {
  "turn.started": z.object({ agentId: z.string(), model: z.string() }),
  "turn.completed": z.object({ usage: usageSchema, cost: costSchema.optional() }),
  "turn.failed": z.object({
    code: z.string(),
    message: z.string(),
    usage: usageSchema.optional(),
    cost: costSchema.optional(),
  }),
  "turn.aborted": z.object({
    by: z.string(),
    reason: z.string().optional(),
    usage: usageSchema.optional(),
    cost: costSchema.optional(),
  }),
  /** `text` may be empty, when an answer is nothing else. */
  "assistant.message": z.object({
    itemId: idSchema("item"),
    text: z.string(),
    answer: answerSchema.optional(),
  }),
  /** `opaque` is what the provider wants back unchanged: JSON text, byte for byte. */
  "assistant.reasoning": z.object({
    itemId: idSchema("item"),
    text: z.string(),
    opaque: z.string().optional(),
  }),
} as const;
