import { z } from "zod";
import { costSchema, idSchema, usageSchema } from "./shared.ts";

export const turnEvents = {
  "turn.started": z.object({ agentId: z.string(), model: z.string() }),
  "turn.completed": z.object({ usage: usageSchema, cost: costSchema.optional() }),
  "turn.failed": z.object({ code: z.string(), message: z.string(), usage: usageSchema.optional() }),
  "turn.aborted": z.object({ by: z.string(), reason: z.string().optional() }),
  "assistant.message": z.object({ itemId: idSchema("item"), text: z.string() }),
  /** `opaque` is what the provider wants back unchanged: JSON text, byte for byte. */
  "assistant.reasoning": z.object({
    itemId: idSchema("item"),
    text: z.string(),
    opaque: z.string().optional(),
  }),
} as const;
