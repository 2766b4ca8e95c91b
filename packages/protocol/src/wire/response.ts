import { z } from "zod";
import { costSchema, idSchema, timestampSchema, usageSchema } from "../events/shared.ts";
import { outputItemSchema } from "./output-item.ts";

/** A run as a client sees it: what `ResponseReducer` makes of its StreamEvents, live or from history. */
export const responseSchema = z.object({
  id: idSchema("turn"),
  thread_id: z.string(),
  agent_id: z.string().nullable(),
  model: z.string().nullable(),
  status: z.enum(["in_progress", "completed", "failed", "aborted"]),
  /** In the order of the log; what is still being written comes last. Once ended, only complete items. */
  output: z.array(outputItemSchema),
  usage: usageSchema.nullable(),
  cost: costSchema.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  started_at: timestampSchema.nullable(),
  finished_at: timestampSchema.nullable(),
});
export type Response = z.infer<typeof responseSchema>;
