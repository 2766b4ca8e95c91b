import { z } from "zod";
import { memoryHitSchema } from "../events/memory-events.ts";

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
  /** Some documents could not be looked at before the search. */
  stale: z.boolean(),
});
export type MemoryFound = z.infer<typeof memoryFoundSchema>;

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
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type MemoryReport = z.infer<typeof memoryStatusSchema>;
