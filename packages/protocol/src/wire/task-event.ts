import { z } from "zod";
import { approvalIdSchema, approvalPreviewSchema, decisionSchema } from "../events/call-events.ts";

/** What `GET /api/tasks/:id/events` streams: exactly the union of design 000. */
export const taskEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("status"), message: z.string() }),
  z.object({ type: z.literal("code_generated"), code: z.string() }),
  z.object({
    type: z.literal("approval_request"),
    id: approvalIdSchema,
    toolPath: z.string(),
    input: z.unknown(),
    preview: approvalPreviewSchema,
  }),
  z.object({ type: z.literal("approval_resolved"), id: approvalIdSchema, decision: decisionSchema }),
  z.object({
    type: z.literal("tool_result"),
    id: z.string(),
    toolPath: z.string(),
    status: z.enum(["succeeded", "failed", "denied"]),
    preview: z.string().optional(),
  }),
  z.object({ type: z.literal("agent_message"), text: z.string() }),
  z.object({ type: z.literal("error"), error: z.string() }),
  z.object({ type: z.literal("completed") }),
]);
export type TaskEvent = z.infer<typeof taskEventSchema>;
