import { z } from "zod";
import { storedEventSchema } from "../canonical-event.ts";
import { approvalIdSchema } from "../events/call-events.ts";
import { idSchema, usageSchema } from "../events/shared.ts";

const runId = idSchema("turn");

/** What the server sends unasked over `/ws`. */
export const pushSchema = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("chat.delta"),
    /** `itemId` and `offset` let a client merge repeats; one that only appends is served by `createDeltaTrimmer`. */
    data: z.object({
      runId,
      text: z.string(),
      itemId: idSchema("item"),
      offset: z.int().nonnegative(),
    }),
  }),
  z.object({ event: z.literal("chat.final"), data: z.object({ runId, usage: usageSchema }) }),
  z.object({ event: z.literal("chat.error"), data: z.object({ runId, message: z.string() }) }),
  z.object({
    event: z.literal("exec.approval_request"),
    data: z.object({
      approvalId: approvalIdSchema,
      toolName: z.string(),
      summary: z.string(),
      /** The call's input. */
      details: z.unknown(),
      /** Why it asks, and what the tool says about the call. */
      explanation: z.string().optional(),
    }),
  }),
  z.object({
    event: z.literal("tool.progress"),
    data: z.object({ runId, tool: z.string(), message: z.string() }),
  }),
  /** Canonical, for subscribers only. */
  z.object({ event: z.literal("event"), data: storedEventSchema }),
]);
export type Push = z.infer<typeof pushSchema>;
