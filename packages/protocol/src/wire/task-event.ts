import { z } from "zod";
import {
  answerFormSchema,
  approvalIdSchema,
  approvalPreviewSchema,
  decisionSchema,
} from "../events/call-events.ts";
import { approvalCardSchema } from "./approval-card.ts";

/** What `GET /api/tasks/:id/events` streams: the union of design 000; a question also has its card. */
export const taskEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("status"), message: z.string() }),
  z.object({ type: z.literal("code_generated"), code: z.string() }),
  z.object({
    type: z.literal("approval_request"),
    id: approvalIdSchema,
    toolPath: z.string(),
    input: z.unknown(),
    preview: approvalPreviewSchema,
    /** What a client shows; the whole input is beside it. Absent from a daemon that is older. */
    card: approvalCardSchema.optional(),
    /** What a running call asks for: the values that a yes comes with. */
    form: answerFormSchema.optional(),
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
