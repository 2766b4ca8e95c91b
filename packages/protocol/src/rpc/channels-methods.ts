import { z } from "zod";
import { idSchema, timestampSchema } from "../events/shared.ts";
import { method } from "./rpc-method.ts";

const channel = z
  .string()
  .regex(/^[a-z][a-z0-9]*$/, "is no channel's name")
  .max(50);
const person = z.strictObject({ id: z.string().min(1).max(200), name: z.string().max(200) });
const session = idSchema("session");
const item = z.string().min(1).max(200);
const part = z.int().nonnegative().max(10_000);
const ref = z.string().min(1).max(200);
const ok = z.object({ ok: z.literal(true) });

const pushKey = z.string().regex(/^[\w-]{10,200}$/);
const channelSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** People pair there with a code. */
  pairs: z.boolean(),
  isConnected: z.boolean(),
  /** What it needs to be connected. */
  fields: z.array(
    z.object({
      setting: z.string(),
      asks: z.string(),
      kind: z.enum(["secret", "text", "number", "addresses"]),
      /** What counts if nothing is given; absent: something must be. */
      usual: z.string().optional(),
      /** The only values there are. */
      options: z.array(z.string()).optional(),
    }),
  ),
});

/** What connects a chat app with Deputy; see `packages/channels`. */
export const channelsMethods = {
  "channels.list": method(
    "The chat apps and other ways to reach the owner, what each needs, and which are connected",
    z.strictObject({}),
    z.object({ channels: z.array(channelSchema) }),
  ),
  "channels.connect": method(
    "Tries what is given at the service. If it works, it is kept, and Deputy restarts with it; otherwise nothing changes",
    z.strictObject({
      channel: z.string().min(1).max(50),
      values: z.record(z.string().max(50), z.string().max(10_000)),
    }),
    z.object({
      outcome: z.enum(["connected", "failed"]),
      /** Who Deputy is there. */
      as: z.string().optional(),
      message: z.string().optional(),
      hint: z.string().optional(),
    }),
  ),
  "push.key": method(
    "The key by which a browser's push service knows Deputy",
    z.strictObject({}),
    z.object({ key: z.string() }),
  ),
  "push.subscribe": method(
    "This browser wants to be notified; `turnedOn`: push was off until now, and Deputy restarts with it",
    z.strictObject({ endpoint: z.url().max(2_000), p256dh: pushKey, auth: pushKey }),
    z.object({ turnedOn: z.boolean() }),
  ),
  "push.unsubscribe": method(
    "This browser does not want it any more",
    z.strictObject({ endpoint: z.string().min(1).max(2_000) }),
    ok,
  ),
  "channels.code": method(
    "A code that pairs one person in a chat app with Deputy, once, for ten minutes; the app's earlier code ends",
    z.strictObject({ channel }),
    z.object({ code: z.string(), expiresAt: timestampSchema }),
  ),
  "channels.pair": method(
    "Somebody in a chat app says a pairing code; `paired` is false for a wrong or used one, and after five wrong ones",
    z.strictObject({ channel, person, code: z.string().max(100) }),
    z.object({ paired: z.boolean() }),
  ),
  "channels.unpair": method(
    "That person is unknown again; `ok` is false if nobody was",
    z.strictObject({ channel, person: z.string().min(1).max(200) }),
    z.object({ ok: z.boolean() }),
  ),
  "channels.people": method(
    "Who is paired in a chat app",
    z.strictObject({ channel }),
    z.object({ people: z.array(person) }),
  ),
  "channels.keep": method(
    "Only these people, and those who are paired, are the owner there; what was anybody else's conversation is so no more",
    z.strictObject({ channel, people: z.array(z.string().min(1).max(200)).max(1_000) }),
    ok,
  ),
  "channels.home": method(
    "Says that only the owner reads along in this conversation: notifications may go there",
    z.strictObject({ channel, person: z.string().min(1).max(200), session }),
    ok,
  ),
  "channels.failed": method(
    "What could not be posted in a chat app and was given up, the newest first, with the reason",
    z.strictObject({ channel }),
    z.object({
      failed: z.array(
        z.object({ session: session.optional(), item: z.string(), reason: z.string(), at: timestampSchema }),
      ),
    }),
  ),
  "channels.retry": method(
    "Posts once more what was given up; says how much that is",
    z.strictObject({ channel }),
    z.object({ count: z.int().nonnegative() }),
  ),
  "channels.posting": method(
    "Notes, before a message is posted in a chat app, that it may have been",
    z.strictObject({ channel, session, item, part }),
    ok,
  ),
  "channels.posted": method(
    "Notes that the app has the message, and its name for it there",
    z.strictObject({ channel, session, item, part, ref }),
    ok,
  ),
  "channels.shown": method(
    "Notes that an item changes no more, or that a conversation is shown up to an event",
    z.strictObject({
      channel,
      session,
      item: item.optional(),
      through: z.int().nonnegative().optional(),
      failed: z.string().max(2_000).optional(),
    }),
    ok,
  ),
  "channels.progress": method(
    "How far the conversations of a chat app, or one of them, are shown in it, and what may still change",
    z.strictObject({ channel, session: session.optional() }),
    z.object({
      conversations: z.array(
        z.object({
          session,
          through: z.int().nonnegative(),
          /** Without a `ref` it is unknown whether it was posted. */
          open: z.array(z.object({ item, part, ref: ref.optional() })),
          /** What is to be posted once more. */
          again: z.array(item),
          /** It was somebody's who is not known any more: nothing is shown there. */
          closed: z.boolean(),
        }),
      ),
    }),
  ),
} as const;
