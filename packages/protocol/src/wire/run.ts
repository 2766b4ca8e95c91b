import { z } from "zod";
import { attachmentRefsSchema } from "../log/blob-store.ts";
import { idSchema, timestampSchema } from "../events/shared.ts";
import { responseSchema } from "./response.ts";

/** Body of `POST /api/v2/submit`: without a thread, a new one begins. */
export const submitRunSchema = z.strictObject({
  prompt: z.string().regex(/\S/, "is blank").max(100_000),
  threadId: idSchema("session").optional(),
  /** Only for a new thread; an existing thread keeps its agent. */
  agentId: z.string().min(1).max(100).optional(),
  attachments: attachmentRefsSchema.optional(),
});
export type SubmitRun = z.infer<typeof submitRunSchema>;

/** A run is a turn, so both ids are the same. */
export const submittedRunSchema = z.object({
  runId: idSchema("turn"),
  turnId: idSchema("turn"),
  threadId: idSchema("session"),
});

/** A conversation as lists show it. */
export const threadSchema = z.object({
  id: idSchema("session"),
  key: z.string(),
  agent_id: z.string(),
  channel: z.string(),
  /** What was said first, cut short; empty when nothing was. */
  title: z.string(),
  runs: z.int().nonnegative(),
  started_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Thread = z.infer<typeof threadSchema>;

export const threadListSchema = z.object({ threads: z.array(threadSchema) });

/** Body of `GET /api/v2/threads/:id`. */
export const threadDetailSchema = z.object({
  ...threadSchema.omit({ title: true }).shape,
  /** In order; the last ones when there are more. */
  responses: z.array(responseSchema),
  has_more: z.boolean(),
});
