import { z } from "zod";
import { failureSchema, idSchema, timestampSchema } from "../events/shared.ts";
import { method } from "./rpc-method.ts";

/** An id, or the newest session with that key. */
export const sessionKeySchema = z.string().min(1).max(500);
const agentId = z.string().min(1).max(100);
const runId = idSchema("turn");
const ok = z.object({ ok: z.boolean() });

const sessionSchema = z.object({
  id: idSchema("session"),
  key: z.string(),
  agentId: z.string(),
  channel: z.string(),
  startedAt: timestampSchema,
  lastAt: timestampSchema,
  turns: z.int().nonnegative(),
  isTask: z.boolean(),
});
/** As lists show it: with what was said first, cut short. */
const listedSessionSchema = sessionSchema.extend({ title: z.string(), events: z.int().nonnegative() });

/** One line of a session as a person reads it; `seq` finds the event behind it. */
const chatMessageSchema = z.object({
  role: z.enum(["user", "assistant", "tool_use", "tool_result"]),
  content: z.string(),
  timestamp: timestampSchema,
  seq: z.int().positive(),
  toolName: z.string().optional(),
  callId: z.string().optional(),
  error: failureSchema.optional(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** The last ones, in order; `hasMore` when there are earlier ones. */
const messages = { messages: z.array(chatMessageSchema), hasMore: z.boolean() };
export const MOST_MESSAGES = 1_000;

export const chatMethods = {
  "agents.list": method(
    "The agents there are",
    z.strictObject({}),
    z.object({
      agents: z.array(
        z.object({
          id: z.string(),
          isDefault: z.boolean(),
          model: z.string().optional(),
          mode: z.enum(["code", "script", "functions"]),
          tools: z.array(z.string()),
        }),
      ),
    }),
  ),
  "sessions.create": method(
    "Begins a session; without an agent, with the default one",
    z.strictObject({ agentId: agentId.optional() }),
    z.object({ sessionKey: z.string(), sessionId: idSchema("session") }),
  ),
  "sessions.list": method(
    "Sessions, the one in which something happened last first",
    z.strictObject({ limit: z.int().min(1).max(500).optional() }),
    z.object({ sessions: z.array(listedSessionSchema) }),
  ),
  "sessions.get": method(
    "A session, and what was last said and done in it",
    z.strictObject({ sessionKey: sessionKeySchema }),
    z.object({ session: sessionSchema, ...messages }),
  ),
  "chat.send": method(
    "Says something in a session. The run that answers it may be one that already goes on; its pushes follow",
    z.strictObject({
      sessionKey: sessionKeySchema,
      message: z.string().regex(/\S/, "is blank").max(100_000),
    }),
    z.object({ runId }),
  ),
  "chat.history": method(
    "What was last said and done in a session",
    z.strictObject({
      sessionKey: sessionKeySchema,
      limit: z.int().min(1).max(MOST_MESSAGES).optional(),
    }),
    z.object(messages),
  ),
  "chat.abort": method(
    "Stops a run, or takes it off the queue; `ok` is false when there is none to stop",
    z.strictObject({ runId }),
    ok,
  ),
} as const;
