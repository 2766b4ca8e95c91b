import { z } from "zod";
import {
  attachmentSchema,
  costSchema,
  effortSchema,
  idSchema,
  labelSchema,
  sha256Schema,
  usageSchema,
} from "./shared.ts";

export const sessionEvents = {
  "session.started": z.object({
    agentId: z.string(),
    key: z.string(),
    channel: z.string(),
    /** The model that the user chose for it, as `provider/model`; absent: its agent's. */
    model: z.string().min(1).max(300).optional(),
    /** How much it reasons, if the user chose that. */
    effort: effortSchema.optional(),
    /** What follows began as a copy of that session, up to and with this event. */
    forkedFrom: z.object({ stream: idSchema("session"), throughSeq: z.int().nonnegative() }).optional(),
  }),
  "user.message": z.object({
    text: z.string(),
    /** Called what the sender calls them; `size` is in bytes, as they are kept. */
    attachments: z.array(attachmentSchema.extend({ size: z.int().nonnegative().optional() })),
    channel: z.string(),
    sender: z.string(),
    trust: labelSchema.shape.trust,
    /** Where in `text` the sender's own words are; absent: all of it. The rest is Deputy's, about the situation. */
    said: z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() }).optional(),
    /** What its client calls it, so that sending it again after a lost answer says it once. */
    messageKey: z.string().min(1).max(100).optional(),
  }),
  /**
   * The prompt now begins with `summary`, which also covers the earlier summary ; then comes what follows
   * `throughSeq`. The replaced events stay in the log: `archive` says where.
   */
  /** Everything before it, and every copy behind it, came in from a file. */
  "session.imported": z.object({}),
  "session.compacted": z.object({
    fromSeq: z.int(),
    throughSeq: z.int(),
    summary: z.string(),
    archive: z.string(),
    /** How many messages the prompt had, and has now, the summary among them. */
    messagesBefore: z.int().nonnegative().optional(),
    messagesAfter: z.int().nonnegative().optional(),
    /** Messages among the replaced events that the prompt still shows word for word. */
    keptSeqs: z.array(z.int()).optional(),
    /** Where everything came from that the summary was made of. It is never the user's own word. */
    labels: z.array(labelSchema).optional(),
    /** Who wrote the summary; absent when no model did. */
    model: z.string().optional(),
    usage: usageSchema.optional(),
  }),
  /** What the user has made of the conversation in lists. Fields that are absent stay as they were. */
  "session.updated": z.object({
    by: z.string(),
    /** Its name; null: what was said first is its name again. */
    title: z.string().min(1).max(200).nullable().optional(),
    archived: z.boolean().optional(),
    /** The model that answers from the next turn on; null: its agent's again. */
    model: z.string().min(1).max(300).nullable().optional(),
    effort: effortSchema.nullable().optional(),
    /** It is gone from all lists, and what was said in it is erased. */
    deleted: z.literal(true).optional(),
  }),
  "event.erased": z.object({
    eventId: idSchema("event"),
    seq: z.int(),
    /** Present when a repair found several to be gone: the first and the last of each run; `seq` is the first of all. */
    ranges: z.array(z.tuple([z.int(), z.int()])).optional(),
    payloadHash: sha256Schema,
    by: z.string(),
    reason: z.string().optional(),
  }),
  /** `stack`: where a bug of Deputy's own was, for whoever mends it. */
  error: z.object({ code: z.string(), message: z.string(), stack: z.string().optional() }),
} as const;

/** On the last event of a model's answer, which is written as a whole. */
export const answerSchema = z.object({
  usage: usageSchema,
  stop: z.string(),
  /** The last event of the stream that the model had seen. */
  throughSeq: z.int().nonnegative(),
  /** Another model answered than the turn's, which had failed. Both as `provider/model`. */
  fallback: z.object({ model: z.string(), instead: z.string(), code: z.string() }).optional(),
});

export const turnEvents = {
  /** Whoever writes it owns the turn, under epoch 1. Earlier versions did not say who. */
  "turn.started": z.object({
    agentId: z.string(),
    model: z.string(),
    owner: z.string().optional(),
    epoch: z.int().positive().optional(),
  }),
  /**
   * From here on this owner has the turn, and owners with a smaller epoch can add nothing to it. `lost`: the
   * previous owner did not release the turn, so its process died.
   */
  "turn.claimed": z.object({ owner: z.string(), epoch: z.int().positive(), lost: z.boolean() }),
  /** The owner of that epoch has let go of the turn, as on a shutdown; whoever claims it goes on with it. */
  "turn.suspended": z.object({ epoch: z.int().positive() }),
  "turn.completed": z.object({ usage: usageSchema, cost: costSchema.optional() }),
  "turn.failed": z.object({
    code: z.string(),
    message: z.string(),
    usage: usageSchema.optional(),
    cost: costSchema.optional(),
  }),
  "turn.aborted": z.object({
    by: z.string(),
    reason: z.string().optional(),
    usage: usageSchema.optional(),
    cost: costSchema.optional(),
  }),
  /**
   * What Deputy tells the model about the moment and about what is connected. It stands where it was said, so the prompt
   * before it stays as it was, and a replay says the same.
   */
  "turn.facts": z.object({
    /** The user's time, to the minute: `2026-11-17T14:05+01:00`. */
    at: z.string(),
    zone: z.string(),
    user: z.object({ name: z.string().optional(), language: z.string().optional() }).optional(),
    /** Absent: as said before. */
    connected: z
      .object({
        /** `by`: who named it, if the user did not connect it under this name. */
        namespaces: z.array(
          z.object({ name: z.string(), count: z.int().positive(), by: z.string().optional() }),
        ),
        /** Namespaces that are not listed. */
        more: z.int().nonnegative(),
        /** Tools that most people need. */
        paths: z.array(z.string()),
        hooks: z.array(z.string()),
        mailboxes: z.array(z.string()),
        folders: z.array(z.string()),
        /** Present when the tools are functions of the request, so that none is listed here. */
        functions: z
          .object({ count: z.int().nonnegative(), /** Tasks can wait for reports. */ canWait: z.boolean() })
          .optional(),
      })
      .optional(),
  }),
  /** `text` may be empty, when an answer is nothing else. */
  "assistant.message": z.object({
    itemId: idSchema("item"),
    text: z.string(),
    answer: answerSchema.optional(),
  }),
  /** `opaque` is what the provider wants back unchanged: JSON text, byte for byte. */
  "assistant.reasoning": z.object({
    itemId: idSchema("item"),
    text: z.string(),
    opaque: z.string().optional(),
  }),
} as const;
