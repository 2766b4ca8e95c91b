import { z } from "zod";
import { contentSchema, metadataSchema, modelSchema } from "./request-parts.ts";

/**
 * Body of `POST /v1/chat/completions`, as far as it means something here. Other fields are what clients
 * send to any server, and are passed over: which model is asked, and how, is the agent's own matter.
 */
export const chatRequestSchema = z.looseObject({
  model: modelSchema,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
        content: contentSchema.nullish(),
      }),
    )
    .min(1)
    .max(2_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  /** More than one answer would be more than one run. */
  n: z.literal(1).nullish(),
  metadata: metadataSchema.nullish(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
