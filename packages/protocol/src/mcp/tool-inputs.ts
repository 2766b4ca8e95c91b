import { z } from "zod";
import { LARGEST_PROGRAM_CHARS } from "../events/cell-events.ts";

const MOST_TOOLS = 50;
/** Less than the minute after which clients commonly give up. */
const LONGEST_WAIT_SECONDS = 50;

export const searchToolsInputSchema = z.object({
  query: z.string().max(1_000).describe("What the tool should do, in a few words"),
  limit: z.int().min(1).max(MOST_TOOLS).optional().describe("How many at most; 10 unless told"),
});

export const describeToolsInputSchema = z.object({
  paths: z
    .array(z.string().max(500))
    .min(1)
    .max(MOST_TOOLS)
    .describe("Paths of tools, as search_tools gives them, e.g. github.issues.list"),
});

export const runCodeInputSchema = z.object({
  code: z
    .string()
    .max(LARGEST_PROGRAM_CHARS)
    .describe(
      "TypeScript: the body of an async function. Call tools as `await tools.a.b({…})`, return the result, print with console.log",
    ),
});

export const taskResultInputSchema = z.object({
  taskId: z.string().max(100).describe("As run_code gave it"),
  waitSeconds: z
    .number()
    .min(0)
    .max(LONGEST_WAIT_SECONDS)
    .optional()
    .describe("How long to wait for its end; 30 unless told"),
});
