import { z } from "zod";
import { storedEventSchema } from "../canonical-event.ts";
import { approvalIdSchema } from "../events/call-events.ts";
import { attachmentSchema, idSchema, usageSchema } from "../events/shared.ts";
import { approvalCardSchema } from "./approval-card.ts";

const runId = idSchema("turn");

/** What to read again. A client that has lost its connection reads all of it again. */
const changedSchema = z.object({
  /** Sessions that began, went on, were renamed or ended a turn. */
  sessions: z.array(idSchema("session")),
  approvals: z.boolean(),
  grants: z.boolean(),
  tasks: z.boolean(),
  notices: z.boolean(),
  /** Who is paired in a chat app, or what is to be posted there again. */
  channels: z.boolean(),
});
export type Changed = z.infer<typeof changedSchema>;

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
      /** What a client shows; it says everything that the fields above do. */
      card: approvalCardSchema.optional(),
    }),
  }),
  z.object({
    event: z.literal("tool.progress"),
    data: z.object({ runId, tool: z.string(), message: z.string() }),
  }),
  /** A call has ended, and there are files with its result. */
  z.object({
    event: z.literal("tool.attachments"),
    data: z.object({
      runId,
      tool: z.string(),
      callId: z.string(),
      attachments: z.array(attachmentSchema).min(1),
    }),
  }),
  /** A message of Deputy's own in a session: that a command in the background has ended, what a heartbeat found. */
  z.object({
    event: z.literal("chat.notice"),
    data: z.object({
      sessionId: idSchema("session"),
      from: z.string(),
      text: z.string(),
      seq: z.int().positive(),
    }),
  }),
  /** Something that lists show is otherwise now; for those who asked with `changes.subscribe`. */
  z.object({ event: z.literal("changed"), data: changedSchema }),
  /** Canonical, for subscribers only. */
  z.object({ event: z.literal("event"), data: storedEventSchema }),
]);
export type Push = z.infer<typeof pushSchema>;
