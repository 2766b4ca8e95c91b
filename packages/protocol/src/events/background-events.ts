import { z } from "zod";
import { scheduleSchema } from "../schedule.ts";
import { idSchema, timestampSchema, sha256Schema, labelSchema } from "./shared.ts";

const reminderId = idSchema("reminder");
const slot = { reminderId, dueAt: timestampSchema, reason: z.string() } as const;

/** Reminders that agents set. All are in the stream of what belongs to no session. */
export const cronEvents = {
  "cron.added": z.object({
    reminderId,
    name: z.string(),
    /** A model wrote the text, so it does not count as the user's words. */
    text: z.string(),
    schedule: scheduleSchema,
    agentId: z.string(),
    /** The session in which it was set. */
    from: z.string(),
  }),
  /** What is absent stays as it was. */
  "cron.updated": z.object({
    reminderId,
    name: z.string().optional(),
    text: z.string().optional(),
    schedule: scheduleSchema.optional(),
    isEnabled: z.boolean().optional(),
  }),
  "cron.removed": z.object({ reminderId, from: z.string() }),
  "cron.fired": z.object(slot),
  "cron.skipped": z.object({
    ...slot,
    /** The event covers this many slots; the last one was due at this time. */
    count: z.int().min(2).optional(),
    untilAt: timestampSchema.optional(),
  }),
} as const;

export const heartbeatEvents = {
  /** Something that an agent is to hear of soon: it waits for a heartbeat. */
  "system.noted": z.object({
    /** What no other one has. */
    ref: z.string(),
    source: z.enum(["exec", "cron"]),
    text: z.string(),
    /** Whose it is; absent for what belongs to no session. */
    session: idSchema("session").optional(),
    agentId: z.string().optional(),
  }),
  /** Before the message that begins the heartbeat's turn, which is this event's turn. */
  "heartbeat.began": z.object({
    kind: z.enum(["standard", "exec", "cron"]),
    agentId: z.string(),
    /** Those that it is about: they wait no more. */
    refs: z.array(z.string()),
    /** What it was looked at: HEARTBEAT.md, and how each check stood. */
    seen: z.object({ instructions: sha256Schema, checks: z.record(z.string(), z.string()) }).optional(),
  }),
  /** No model was asked. Of one that was due, not written again while the reason stays the same. */
  "heartbeat.skipped": z.object({
    agentId: z.string(),
    reason: z.string(),
    /** Those that it was about: they wait no more. */
    refs: z.array(z.string()).optional(),
  }),
  /** HEARTBEAT.md is not looked at until it is resumed. */
  "heartbeat.paused": z.object({ by: z.string() }),
  "heartbeat.resumed": z.object({ by: z.string() }),
  "heartbeat.ended": z.object({
    turn: idSchema("turn"),
    /** `silent`: there was nothing to tell; `untold`: its turn did not come to an answer. */
    outcome: z.enum(["told", "silent", "untold"]),
    /** The reference of the delivered notification. */
    messageRef: z.string().optional(),
  }),
} as const;

/** The answer to a sender once its delivery is in the log. */
export const deliveryReceiptSchema = z.object({
  deliveryId: z.string(),
  /** It was there already; nothing was added. */
  duplicate: z.boolean(),
});

export const hookEvents = {
  /** Somebody else's machine reported something, and showed that it may. It is the first event of a delivery's stream. */
  "hook.received": z.object({
    /** The hook's id, which no other ever has, and its name at the time. */
    hookId: z.string(),
    hook: z.string(),
    /** As the sender calls it, or the hash of what it sent. */
    deliveryId: z.string(),
    scheme: z.string(),
    /** The sender's own name for the event, if it is not in the payload. It is not signed. */
    event: z.string().optional(),
    contentType: z.string(),
    /** The hash of the original body, before redaction. */
    bytes: z.int().nonnegative(),
    sha256: sha256Schema,
    /** Parsed JSON or form fields, else text. */
    payload: z.unknown(),
    label: labelSchema,
  }),
} as const;

export const retentionEvents = {
  /** Data that is no longer needed was removed, by the `retention` settings. */
  "retention.pruned": z.object({
    /** For deliveries: the payloads were erased; the deliveries' own streams record it too. */
    what: z.enum(["deliveries", "blobs", "runs"]),
    count: z.int().positive(),
    reason: z.string(),
    /** For blobs: the ids of the removed ones. */
    blobIds: z.array(z.string()).optional(),
  }),
} as const;

const changeSet = z.object({
  changeSet: z.string(),
  added: z.int(),
  modified: z.int(),
  deleted: z.int(),
  sha256: sha256Schema,
  /** The real folder. */
  folder: z.string().optional(),
  /** The client or the session by which it was done. */
  by: z.string().optional(),
  /** Of a commit: which files, at most as many as people read. */
  files: z.array(z.object({ path: z.string(), kind: z.string() })).optional(),
});

export const workspaceEvents = {
  "workspace.imported": changeSet,
  "workspace.changed": changeSet,
  "workspace.committed": changeSet,
  "workspace.reverted": changeSet,
} as const;

const channel = z.string().min(1).max(50);
/** As the app identifies people: never a name, which anybody can take. */
const person = z.string().min(1).max(200);
const post = {
  channel,
  session: idSchema("session"),
  /** What of the session it shows: an answer, a question, a note. */
  item: z.string().min(1).max(200),
  /** A long one is several messages, counted from 0. */
  part: z.int().nonnegative(),
} as const;

/** Who may talk to Deputy in a chat app, and what it has posted there. All are in the stream of what belongs to no session. */
export const channelEvents = {
  /** A pairing code was made. Of the code itself only the hash is kept. */
  "channel.code": z.object({ channel, hash: sha256Schema, expiresAt: timestampSchema }),
  /** Somebody in the app has shown the code: the code is used up. */
  "channel.paired": z.object({ channel, person, name: z.string().max(200), hash: sha256Schema }),
  /** Nobody is told anything any more in the conversations that were theirs. */
  "channel.unpaired": z.object({ channel, person }),
  /** In this conversation only the owner reads along, as that person of the app: what they are told may go there. */
  "channel.home": z.object({ channel, person, session: idSchema("session") }),
  /** A message is about to be posted. Without a `channel.posted` that follows, nobody knows whether it was. */
  "channel.posting": z.object(post),
  /** The app has it, under its own name for it. */
  "channel.posted": z.object({ ...post, ref: z.string().min(1).max(200) }),
  /** Nothing of it will change any more. `through`: everything up to that event of the session is shown. */
  "channel.shown": z.object({
    channel: post.channel,
    session: post.session,
    item: post.item.optional(),
    through: z.int().nonnegative().optional(),
    /** Why it could not be posted, and was given up. */
    failed: z.string().max(2_000).optional(),
  }),
  /** What was given up is to be posted once more. */
  "channel.again": z.object({ channel: post.channel, session: post.session, item: post.item }),
} as const;
