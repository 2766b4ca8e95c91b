import { z } from "zod";
import { idSchema, sha256Schema, timestampSchema } from "./shared.ts";

/** Something found in the memory. */
export const memoryHitSchema = z.object({
  /** What kind of document it is in. */
  source: z.enum(["memory", "notes", "daily", "extra", "session"]),
  /** The file, or the session's id. */
  path: z.string(),
  /** Which lines of it: `3-17`. */
  lines: z.string(),
  /** Its headings, people and date. */
  about: z.string(),
  text: z.string(),
  score: z.number(),
  /** Why it was found, in words. */
  why: z.string(),
  /** Who wrote parts of it, besides the user. */
  foreign: z.array(z.string()),
});

/** Lines of a file that were replaced by others; both may be none. */
export const lineEditSchema = z.object({
  /** How many lines stand before them. */
  line: z.int().nonnegative(),
  removed: z.array(z.string()),
  added: z.array(z.string()),
});

/** What is to be forgotten. What is given must all hold. */
export const forgetWishSchema = z.strictObject({
  /** Whatever contains this text, in any case and with any spaces. */
  text: z.string().min(2).max(2_000).optional(),
  /** A document, by its path or session, or whoever wrote something, as `foreign` names them. */
  source: z.string().min(1).max(1_000).optional(),
  /** Whatever names this person, or was sent by them. */
  person: z.string().min(2).max(200).optional(),
  /** Whatever was said or noted from then on, and before then. */
  since: timestampSchema.optional(),
  until: timestampSchema.optional(),
});
export type ForgetWish = z.infer<typeof forgetWishSchema>;

export const forgottenCountsSchema = z.object({
  /** Lines of notes, and whole files. */
  lines: z.int().nonnegative(),
  files: z.int().nonnegative(),
  /** Events whose payload was erased; what was recalled in turns is among them. */
  events: z.int().nonnegative(),
  recalled: z.int().nonnegative(),
  /** Files that came with messages. Absent from what earlier versions wrote. */
  attachments: z.int().nonnegative().optional(),
  /** Conversations of which something was erased. */
  conversations: z.int().nonnegative(),
  /** Pieces of the index. */
  pieces: z.int().nonnegative(),
});
export type ForgottenCounts = z.infer<typeof forgottenCountsSchema>;

/** Something that holds what was to be forgotten and stays, and why; without the text itself. */
export const keptSchema = z.object({ what: z.string(), why: z.string(), count: z.int().positive() });
export type KeptOnForgetting = z.infer<typeof keptSchema>;

const changeId = z.string().min(1).max(100);

/** Of these, only `memory.recalled` is in the stream of a session. */
export const memoryEvents = {
  "memory.indexed": z.object({ sources: z.array(z.string()), chunks: z.int() }),
  /** What the model is shown of the memory for a message, in its turn. It is never remembered itself. */
  "memory.recalled": z.object({
    /** The message. */
    forSeq: z.int().positive(),
    hits: z.array(memoryHitSchema),
    by: z.enum(["words and meaning", "words"]),
    /** What is missing, if something is. */
    note: z.string().optional(),
  }),
  /** A note or an agent's file is to have other lines. Written before the file. */
  "memory.written": z.object({
    changeId,
    /** As the index calls it: `main/memory/2026-11-17.md`. */
    path: z.string(),
    agentId: z.string(),
    edit: lineEditSchema,
    /** Of the file before and after; null: there is none. */
    before: sha256Schema.nullable(),
    after: sha256Schema.nullable(),
    /** `agent main`, or whoever did it themselves. */
    by: z.string(),
    /** In which session, if in one. */
    session: idSchema("session").optional(),
    /** Who wrote the words, besides the user. */
    toldBy: z.array(z.string()),
    /** The change that this one takes back. */
    undoes: changeId.optional(),
  }),
  /** The file has these lines now; `given_up`: somebody else changed it meanwhile. */
  "memory.applied": z.object({ changeId, outcome: z.enum(["written", "given_up"]) }),
  /** Somebody wants this forgotten. Its payload is erased once that is done. */
  "memory.forgetting": z.object({
    forgetId: changeId,
    wish: forgetWishSchema,
    /** Of one agent; absent: of all. */
    agentId: z.string().optional(),
    by: z.string(),
  }),
  "memory.forgotten": z.object({
    forgetId: changeId,
    by: z.string(),
    removed: forgottenCountsSchema,
    kept: z.array(keptSchema),
    /** Lines of files that Deputy must not change: the hashes of path and line, so that they are not indexed again. */
    leftOut: z.array(sha256Schema),
  }),
} as const;
