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
  /** Whoever writes it owns the turn, under epoch 1. Earlier versions did not say who. */
  "turn.started": z.object({
    agentId: z.string(),
    model: z.string(),
    owner: z.string().optional(),
    epoch: z.int().positive().optional(),
  }),
  /**
   * From here on this owner has the turn, and owners with a smaller epoch can add nothing to it. `lost`: the
   * previous owner did not release the turn, so its process died.
   */
  "turn.claimed": z.object({ owner: z.string(), epoch: z.int().positive(), lost: z.boolean() }),
  /** The owner of that epoch has let go of the turn, as on a shutdown; whoever claims it goes on with it. */
  "turn.suspended": z.object({ epoch: z.int().positive() }),
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
