import { z } from "zod";
import { costSchema, sha256Schema, timestampSchema, usageSchema } from "../events/shared.ts";
import {
  memoryChangedSchema,
  memoryChangesSchema,
  memoryDocumentSchema,
  memoryDocumentsSchema,
  memoryEditSchema,
  memoryForgetSchema,
  memoryForgottenSchema,
  memoryFoundSchema,
  memoryIndexedSchema,
  memoryIndexSchema,
  memoryListSchema,
  memoryRecalledQuerySchema,
  memoryRecalledSchema,
  memoryShowSchema,
  memoryStatusSchema,
  memoryUndoneSchema,
  memoryUndoSchema,
} from "../wire/memory.ts";
import { sessionKeySchema } from "./chat-methods.ts";
import { method } from "./rpc-method.ts";

const limit = z.int().min(1).max(100).optional();
const query = z.string().min(1).max(1_000);
const paths = z.array(z.string().min(1).max(4_096)).max(1_000).optional();
const path = z.string();
const skipped = z.array(z.object({ path, why: z.string() }));
const kind = z.enum(["added", "modified", "deleted"]);
const changeSet = {
  /** Names exactly these changes: what `workspace.commit` takes. */
  changeSet: z.string(),
  skipped,
};

/** Tokens apart: fresh input, input from a cache, and output. Money only of turns whose price is known. */
const usageRowSchema = z.object({
  name: z.string(),
  turns: z.int(),
  fresh: z.int(),
  cached: z.int(),
  output: z.int(),
  cost: costSchema.optional(),
  unpriced: z.int(),
  /** What the largest turn took, in tokens; and the dearest one, where prices are known. */
  largest: z.int().nonnegative(),
  dearest: costSchema.optional(),
});

const toolSchema = z.object({
  path,
  description: z.string(),
  effect: z.string(),
  approval: z.string(),
});

export const engineMethods = {
  "tools.search": method(
    "Tools that fit a query, the best first",
    z.strictObject({ query, limit }),
    z.object({
      tools: z.array(toolSchema),
      /** `words`: meaning could not be compared, and why. */
      by: z.enum(["words and meaning", "words"]),
      why: z.string().optional(),
    }),
  ),
  "tools.describe": method(
    "Declarations of tools, as a model is given them; unknown paths are left out",
    z.strictObject({ paths: z.array(z.string().max(500)).min(1).max(50) }),
    z.object({
      declarations: z.string(),
      tools: z.array(toolSchema.extend({ inputSchema: z.record(z.string(), z.unknown()) })),
    }),
  ),
  "memory.search": method(
    "Notes and conversations of an agent that fit a query, the best first",
    z.strictObject({ query, limit, agent: z.string().min(1).max(200).optional() }),
    memoryFoundSchema,
  ),
  "memory.status": method("What is remembered, and how", z.strictObject({}), memoryStatusSchema),
  "memory.index": method(
    "Brings the index up to date, and answers when the meaning of everything is indexed, too",
    memoryIndexSchema,
    memoryIndexedSchema,
  ),
  "memory.list": method("All documents that an agent can find", memoryListSchema, memoryDocumentsSchema),
  "memory.show": method(
    "One document, piece by piece, and the file itself if it can be edited",
    memoryShowSchema,
    memoryDocumentSchema,
  ),
  "memory.edit": method(
    "Writes a note as you edited it, unless it has changed meanwhile",
    memoryEditSchema,
    memoryChangedSchema,
  ),
  "memory.recalled": method(
    "What the model was shown of the memory in a session, and why",
    memoryRecalledQuerySchema,
    memoryRecalledSchema,
  ),
  "memory.changes": method(
    "What was written into notes, the newest first",
    z.strictObject({ limit }),
    memoryChangesSchema,
  ),
  "memory.undo": method("Takes a change of a note back", memoryUndoSchema, memoryUndoneSchema),
  "memory.forget": method(
    "Forgets for good what fits, and says what was removed and what stays",
    memoryForgetSchema,
    memoryForgottenSchema,
  ),
  "workspace.status": method(
    "What the agents' copy of the files has changed",
    z.strictObject({}),
    z.object({
      ...changeSet,
      folder: z.string().nullable(),
      changes: z.array(z.object({ kind, path })),
    }),
  ),
  "workspace.diff": method(
    "The same with text diffs: of everything, or what is at or under the paths",
    z.strictObject({ paths }),
    z.object({
      ...changeSet,
      diffs: z.array(
        z.object({
          kind,
          path,
          /** As `diff -u` writes it; absent for what is not text, or too long. */
          text: z.string().optional(),
          addedLines: z.int(),
          removedLines: z.int(),
          notes: z.array(z.string()),
        }),
      ),
    }),
  ),
  "workspace.commit": method(
    "Writes reviewed changes to the real files, all of them or nothing; not when they are others than those reviewed",
    z.strictObject({ changeSet: z.string().min(1).max(200), paths }),
    z.object({
      outcome: z.enum(["committed", "conflicts"]),
      files: z.array(z.object({ path, how: z.enum(["written", "merged", "removed", "already"]) })),
      conflicts: z.array(z.object({ path, why: z.string() })),
    }),
  ),
  "workspace.revert": method(
    "Gives up changes: all of them, or those at or under the paths",
    z.strictObject({ paths }),
    z.object({ paths: z.array(path) }),
  ),
  "workspace.snapshots": method(
    "The files as they were before each turn that changed them, the newest first; files: what going back would do",
    z.strictObject({}),
    z.object({
      snapshots: z.array(
        z.object({
          id: z.string(),
          at: timestampSchema,
          /** The turn that came after it, or what an undo took back. */
          name: z.string(),
          files: z.array(z.object({ path, kind })),
        }),
      ),
    }),
  ),
  "workspace.undo": method(
    "Makes the workspace's files what they were at a snapshot; without one, at the newest that differs. What they are now becomes a snapshot",
    z.strictObject({ snapshot: z.string().min(1).max(64).optional() }),
    z.object({ files: z.array(z.object({ path, kind })) }),
  ),
  "workspace.import": method(
    "Makes the workspace a copy of a folder of this machine; without one, updates it from the same folder",
    z.strictObject({
      folder: z.string().min(1).max(4_096).optional(),
      /** Names to leave out in any folder; absent: as before, or `.git` and `node_modules`. */
      exclude: z.array(z.string().min(1).max(255)).max(1_000).optional(),
      discard: z.boolean().optional(),
    }),
    z.object({
      folder: z.string(),
      files: z.int(),
      bytes: z.int(),
      exclude: z.array(z.string()),
      /** Those of them that the folder has. */
      leftOut: z.array(z.string()),
      skipped,
    }),
  ),
  "workspace.progress": method(
    "How far an import is that a client of this gateway began; null when there is none",
    z.strictObject({}),
    z.object({ importing: z.object({ done: z.int(), total: z.int() }).nullable() }),
  ),
  "workspace.history": method(
    "What was written to the real files, by agents and clients, the newest first",
    z.strictObject({}),
    z.object({
      commits: z.array(
        z.object({
          at: timestampSchema,
          added: z.int(),
          modified: z.int(),
          deleted: z.int(),
          /** Who did it: `agent`, `gateway`, `terminal`. */
          by: z.string().optional(),
          /** The first of them; absent from those of before they were noted. */
          files: z.array(z.object({ path, kind: z.string() })).optional(),
        }),
      ),
    }),
  ),
  "workspace.tree": method(
    "What is in a folder of the workspace",
    z.strictObject({ path: z.string().max(4_096) }),
    z.object({ entries: z.array(z.object({ name: z.string(), kind: z.string() })) }),
  ),
  "workspace.sides": method(
    "A file as it was imported, in the workspace, and in the real folder; null where there is none, absent where it is no short text",
    z.strictObject({ path: z.string().min(1).max(4_096) }),
    z.object({
      base: z.string().nullable().optional(),
      ours: z.string().nullable().optional(),
      theirs: z.string().nullable().optional(),
      /** Another one once the workspace or the real folder has something else there. */
      state: sha256Schema,
    }),
  ),
  "workspace.resolve": method(
    "Ends the conflict of one file: with what agents have, with what the real folder has, or with a text. Nothing is written to the real folder",
    z.strictObject({
      path: z.string().min(1).max(4_096),
      take: z.enum(["ours", "theirs", "text"]),
      text: z.string().max(500_000).optional(),
      /** Refused unless the file is still as these `workspace.sides` were. */
      state: sha256Schema.optional(),
    }),
    z.object({ ok: z.literal(true) }),
  ),
  "workspace.applied": method(
    "Notes in the log that a program of the owner on this machine has changed the workspace's files: how many, and the hash of which",
    z.strictObject({
      added: z.int().nonnegative(),
      modified: z.int().nonnegative(),
      deleted: z.int().nonnegative(),
      sha256: sha256Schema,
    }),
    z.object({ ok: z.literal(true) }),
  ),
  "net.fetch": method(
    "Asks somebody else's server as the daemon may, for a program of the owner on this machine: `scripts` as `tools.shell.hosts` allows, `bundles` as the installation of bundles. Bodies are base64. Each request is in the log",
    z.strictObject({
      way: z.enum(["scripts", "bundles"]),
      method: z.string().min(1).max(20),
      url: z.string().min(1).max(20_000),
      headers: z.array(z.tuple([z.string().max(200), z.string().max(20_000)])).max(200),
      body: z.string().optional(),
      redirects: z.enum(["follow", "show"]),
    }),
    z.object({
      answer: z.discriminatedUnion("kind", [
        z.object({
          kind: z.literal("answer"),
          status: z.int(),
          statusText: z.string(),
          headers: z.array(z.tuple([z.string(), z.string()])),
          body: z.string(),
        }),
        z.object({ kind: z.literal("failed"), code: z.string(), message: z.string() }),
      ]),
    }),
  ),
  "usage.table": method(
    "What models took by day, model, conversation and task; days are those of the zone",
    z.strictObject({ since: timestampSchema.optional(), zone: z.string().min(1).max(100).optional() }),
    z.object({
      days: z.array(usageRowSchema),
      models: z.array(usageRowSchema),
      sessions: z.array(usageRowSchema),
      tasks: z.array(usageRowSchema),
    }),
  ),
  "demo.speed": method(
    "How fast the demo's time runs; a speed sets it. Refused without the demo",
    z.strictObject({
      speed: z.number().min(1).max(20_000).optional(),
      /** Then it runs at its ordinary speed again. */
      forMs: z.int().min(1).max(600_000).optional(),
    }),
    z.object({ speed: z.number(), now: timestampSchema }),
  ),
  "usage.get": method(
    "What models took: of one session, or of all",
    z.strictObject({
      sessionKey: sessionKeySchema.optional(),
      since: timestampSchema.optional(),
    }),
    z.object({ turns: z.int().nonnegative(), usage: usageSchema, cost: costSchema.optional() }),
  ),
  "config.get": method(
    "What is in force, or one setting of it by its dotted name; of secrets, where they are",
    z.strictObject({ key: z.string().min(1).max(500).optional() }),
    z.object({ value: z.unknown() }),
  ),
} as const;
