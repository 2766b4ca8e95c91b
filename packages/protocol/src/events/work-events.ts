import { z } from "zod";
import { sha256Schema } from "./shared.ts";

const changeSet = z.object({
  changeSet: z.string(),
  added: z.int(),
  modified: z.int(),
  deleted: z.int(),
  sha256: sha256Schema,
});

export const workspaceEvents = {
  "workspace.imported": changeSet,
  "workspace.changed": changeSet,
  "workspace.committed": changeSet,
  "workspace.reverted": changeSet,
} as const;

export const memoryEvents = {
  "memory.indexed": z.object({ sources: z.array(z.string()), chunks: z.int() }),
  "memory.recalled": z.object({
    query: z.string(),
    hits: z.array(z.object({ source: z.string(), score: z.number() })),
  }),
  "memory.written": z.object({ source: z.string(), diff: z.string() }),
  "memory.forgotten": z.object({ sources: z.array(z.string()), removed: z.int(), by: z.string() }),
} as const;
