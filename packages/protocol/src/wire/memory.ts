import { z } from "zod";
import {
  forgetWishSchema,
  forgottenCountsSchema,
  keptSchema,
  lineEditSchema,
  memoryHitSchema,
} from "../events/memory-events.ts";
import { idSchema, timestampSchema } from "../events/shared.ts";

/** Query of `GET /api/memory/search`. */
export const memorySearchSchema = z.strictObject({
  query: z.string().min(1).max(1_000),
  agent: z.string().min(1).max(200).optional(),
  /** 1 to 100. */
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, "must be a number from 1 to 100")
    .optional(),
});

/** Body of `GET /api/memory/search`: the best first. */
export const memoryFoundSchema = z.object({
  hits: z.array(memoryHitSchema),
  /** `words`: meaning could not be compared. */
  by: z.enum(["words and meaning", "words"]),
  /** What is missing, if something is. */
  note: z.string().optional(),
  /** Some documents could not be looked at before the search, or the index is being made again for another model. */
  stale: z.boolean(),
});
export type MemoryFound = z.infer<typeof memoryFoundSchema>;

/** What could not be read, or the model that fails. */
const problemSchema = z.object({ path: z.string(), message: z.string() });

/** Body of `GET /api/memory/status`. */
export const memoryStatusSchema = z.object({
  /** How many documents there are of each kind. */
  documents: z.record(z.string(), z.int()),
  chunks: z.int(),
  /** Small pieces whose meaning is indexed, and all of them. */
  embedded: z.int(),
  pieces: z.int(),
  /** Null: words alone are searched. */
  model: z.string().nullable(),
  /** While the index is made again for `model`: the one that answers until then. */
  formerModel: z.string().nullable(),
  /** True while the index is made again for another model. */
  stale: z.boolean(),
  problems: z.array(problemSchema),
  /** Present while documents are read that are new or have changed. */
  reading: z.object({ done: z.int(), total: z.int() }).optional(),
});
export type MemoryReport = z.infer<typeof memoryStatusSchema>;

/** Body of `POST /api/memory/index`. */
export const memoryIndexSchema = z.strictObject({});
export const memoryIndexedSchema = z.object({
  documents: z.int(),
  /** How many of them were read again, and how many are gone. */
  indexed: z.int(),
  removed: z.int(),
  /** How many small pieces got their vector. */
  embedded: z.int(),
  problems: z.array(problemSchema),
  /** Why the meaning of the rest could not be indexed. */
  failure: z.string().optional(),
});
export type MemoryIndexed = z.infer<typeof memoryIndexedSchema>;

const agent = z.string().min(1).max(200).optional();
const path = z.string().min(1).max(4_096);
const changeId = z.string().min(1).max(100);

/** Query of `GET /api/memory/documents`. */
export const memoryListSchema = z.strictObject({ agent });

/** Body of `GET /api/memory/documents`: by path. */
export const memoryDocumentsSchema = z.object({
  documents: z.array(
    z.object({
      source: memoryHitSchema.shape.source,
      path: z.string(),
      date: z.string().optional(),
      /** It could not be looked at again. */
      stale: z.boolean(),
      /** Who wrote parts of it, besides the user; absent for conversations. */
      foreign: z.array(z.string()).optional(),
    }),
  ),
});
export type MemoryDocuments = z.infer<typeof memoryDocumentsSchema>;

/** Query of `GET /api/memory/document`. */
export const memoryShowSchema = z.strictObject({ path, agent });

/** Body of `GET /api/memory/document`. */
export const memoryDocumentSchema = z.object({
  pieces: z.array(memoryHitSchema.pick({ lines: true, about: true, text: true, foreign: true })),
  /** The file as it is; present if it is the agent's and can be edited. */
  text: z.string().optional(),
});
export type MemoryDocument = z.infer<typeof memoryDocumentSchema>;

/** Body of `POST /api/memory/document`. */
export const memoryEditSchema = z.strictObject({
  path,
  agent,
  /** What the file was when it was read; null: there was none. If it has changed since, nothing is written. */
  before: z.string().max(300_000).nullable(),
  /** Empty: the file is removed. */
  text: z.string().max(300_000),
});
export const memoryChangedSchema = z.object({ changeId: z.string() });
export type MemoryEdit = z.infer<typeof memoryEditSchema>;

/** Query of `GET /api/memory/recalled`. */
export const memoryRecalledQuerySchema = z.strictObject({ session: idSchema("session") });

/** Body of `GET /api/memory/recalled`: what the model was shown of the memory, message by message, and why. */
export const memoryRecalledSchema = z.object({
  turns: z.array(
    z.object({
      at: timestampSchema,
      turnId: z.string().optional(),
      /** The message that it was for. */
      forSeq: z.int(),
      hits: z.array(memoryHitSchema),
      by: z.enum(["words and meaning", "words"]),
      note: z.string().optional(),
    }),
  ),
});
export type MemoryRecalledTurns = z.infer<typeof memoryRecalledSchema>;

/** Query of `GET /api/memory/changes`. */
export const memoryChangesQuerySchema = z.strictObject({ limit: memorySearchSchema.shape.limit });

/** Body of `GET /api/memory/changes`: the newest first. */
export const memoryChangesSchema = z.object({
  changes: z.array(
    z.object({
      changeId: z.string(),
      path: z.string(),
      at: timestampSchema,
      by: z.string(),
      /** Who wrote the words, besides the user. */
      toldBy: z.array(z.string()),
      edit: lineEditSchema,
      outcome: z.enum(["written", "given_up", "pending"]),
      /** The change that took it back. */
      undoneBy: z.string().optional(),
      session: z.string().optional(),
    }),
  ),
});
export type MemoryChanges = z.infer<typeof memoryChangesSchema>;

/** Body of `POST /api/memory/undo`. */
export const memoryUndoSchema = z.strictObject({ changeId });
export const memoryUndoneSchema = z.object({
  /** `changed_since`: the lines are not as the change left them. */
  outcome: z.enum(["undone", "unknown", "already", "changed_since"]),
});
export type MemoryUndone = z.infer<typeof memoryUndoneSchema>;

/** Body of `POST /api/memory/forget`. */
export const memoryForgetSchema = forgetWishSchema.extend({
  /** Absent: of all agents. */
  agent,
  /** True: only says what would be removed. */
  dryRun: z.boolean().optional(),
});
export type MemoryForget = z.infer<typeof memoryForgetSchema>;
export const memoryForgottenSchema = z.object({
  removed: forgottenCountsSchema,
  /** The notes that go as a whole. */
  files: z.array(z.string()),
  /** What still has it, and why. */
  kept: z.array(keptSchema),
  /** With `dryRun`: the first lines of notes that would go, as they are. */
  shown: z.array(z.object({ path: z.string(), text: z.string() })).optional(),
});
export type MemoryForgotten = z.infer<typeof memoryForgottenSchema>;
