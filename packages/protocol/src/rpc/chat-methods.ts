import { z } from "zod";
import { newSessionKeySchema } from "../wire/task.ts";
import { attachmentRefsSchema } from "../log/blob-store.ts";
import {
  attachmentSchema,
  effortSchema,
  failureSchema,
  idSchema,
  timestampSchema,
} from "../events/shared.ts";
import { method } from "./rpc-method.ts";

/** An id, or the newest session with that key. */
export const sessionKeySchema = z.string().min(1).max(500);
const agentId = z.string().min(1).max(100);
/** As `provider/model`: one of those that `models.status` lists. */
const model = z.string().min(1).max(300);
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
  /** The model that the user chose for it; absent: its agent's. */
  model: z.string().optional(),
  /** How much it reasons, if the user chose that; absent: as its agent is set. */
  effort: effortSchema.optional(),
});
/** As lists show it: with its name, or with what was said first, cut short. */
const listedSessionSchema = sessionSchema.extend({
  title: z.string(),
  events: z.int().nonnegative(),
  /** The user has named it; else the title is what was said first. */
  isNamed: z.boolean(),
  isArchived: z.boolean(),
  /** A turn of it has begun and not ended. */
  isRunning: z.boolean(),
});
export type ListedSession = z.infer<typeof listedSessionSchema>;

const searchHitSchema = z.object({
  sessionId: idSchema("session"),
  seq: z.int().positive(),
  at: timestampSchema,
  role: z.enum(["user", "assistant"]),
  /** The words, with the text around them. */
  snippet: z.string(),
});

/** The `seq` of its last event. */
const head = z.int().nonnegative();

/** One line of a session as a person reads it; `seq` finds the event behind it. */
const chatMessageSchema = z.object({
  /** `notice`: of Deputy's own, such as that a command in the background has ended. */
  role: z.enum(["user", "assistant", "tool_use", "tool_result", "notice"]),
  content: z.string(),
  timestamp: timestampSchema,
  seq: z.int().positive(),
  /** Which part of Deputy a notice is from. */
  from: z.string().optional(),
  toolName: z.string().optional(),
  callId: z.string().optional(),
  error: failureSchema.optional(),
  /** Files that came with it: what a user sent, what a tool made. `GET /api/blobs/ID` has them. */
  attachments: z.array(attachmentSchema).optional(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** The last ones, in order; `hasMore` when there are earlier ones. */
const messages = { messages: z.array(chatMessageSchema), hasMore: z.boolean() };
export const MOST_MESSAGES = 1_000;
const MOST_QUOTED = 50;
const MOST_QUOTED_CHARS = 500_000;

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
          effort: effortSchema.optional(),
          /** The models that answer if that one fails, in this order. */
          fallbacks: z.array(z.string()).optional(),
          mode: z.enum(["code", "script", "functions"]),
          tools: z.array(z.string()),
        }),
      ),
    }),
  ),
  "sessions.create": method(
    "Begins a session; without an agent, with the default one. Given a key, which begins with its channel and `--`, it is the one that the key finds from then on; `existing: go_on` takes the newest of that key and agent, if there is one",
    z.strictObject({
      agentId: agentId.optional(),
      key: newSessionKeySchema.optional(),
      channel: z
        .string()
        .regex(/^[a-z][a-z0-9]*$/, "is no channel's name")
        .max(50)
        .optional(),
      existing: z.enum(["go_on", "leave"]).optional(),
      model: model.optional(),
      effort: effortSchema.optional(),
    }),
    z.object({
      sessionKey: z.string(),
      sessionId: idSchema("session"),
      outcome: z.enum(["started", "resumed"]),
      session: sessionSchema,
      head,
    }),
  ),
  "sessions.list": method(
    "Sessions, the one in which something happened last first",
    z.strictObject({
      limit: z.int().min(1).max(500).optional(),
      /** Only these, in whichever order; those that are gone are left out. */
      ids: z.array(idSchema("session")).max(500).optional(),
    }),
    z.object({ sessions: z.array(listedSessionSchema) }),
  ),
  "sessions.update": method(
    "Names a session, puts it into the archive or back, or chooses the model that answers in it from the next turn on, and how much that reasons; an empty title takes the name away, and no model or effort is its agent's again",
    z.strictObject({
      sessionKey: sessionKeySchema,
      title: z.string().max(200).optional(),
      archived: z.boolean().optional(),
      model: model.nullable().optional(),
      effort: effortSchema.nullable().optional(),
    }),
    ok,
  ),
  "sessions.delete": method(
    "Deletes a conversation for good: what was said and done in it is erased. Its running turn is stopped first. A task's session is refused",
    z.strictObject({ sessionKey: sessionKeySchema }),
    ok,
  ),
  "sessions.fork": method(
    "A new session that begins as a copy of another, through that event or as far as turns had ended by then",
    z.strictObject({ sessionKey: sessionKeySchema, throughSeq: z.int().nonnegative().optional() }),
    z.object({ sessionId: idSchema("session"), throughSeq: z.int().nonnegative() }),
  ),
  "sessions.search": method(
    "Messages that have all of these words; those of the sessions used last come first",
    z.strictObject({ query: z.string().max(500), limit: z.int().min(1).max(100).optional() }),
    z.object({ hits: z.array(searchHitSchema), hasMore: z.boolean() }),
  ),
  "sessions.get": method(
    "A session, and what was last said and done in it",
    z.strictObject({ sessionKey: sessionKeySchema }),
    z.object({ session: sessionSchema, head, ...messages }),
  ),
  "chat.send": method(
    "Says something in a session. The run that answers it may be one that already goes on; its pushes follow. What is quoted came along, such as a file's text: the agent sees it, and it is not the user's word. Attachments are blobs that were uploaded before: the agent is told that they are there",
    z.strictObject({
      sessionKey: sessionKeySchema,
      message: z.string().regex(/\S/, "is blank").max(100_000),
      quoted: z
        .array(z.strictObject({ source: z.string().max(2_000), text: z.string().max(MOST_QUOTED_CHARS) }))
        .max(MOST_QUOTED)
        .optional(),
      attachments: attachmentRefsSchema.optional(),
      /** Its client's own name for it: sent again under the same one, it is said once. */
      messageKey: z.string().min(1).max(100).optional(),
      /** It was sent before, and nothing was heard of it: it is looked for in the whole conversation. */
      again: z.boolean().optional(),
      /** Who wrote it in a chat app; absent: whoever has signed in here. Only with `user` is it the user's own word. */
      sender: z
        .strictObject({
          channel: z
            .string()
            .regex(/^[a-z][a-z0-9]*$/, "is no channel's name")
            .max(50),
          id: z.string().min(1).max(200),
          trust: z.enum(["user", "untrusted"]),
        })
        .optional(),
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
