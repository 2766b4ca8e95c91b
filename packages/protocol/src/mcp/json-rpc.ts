import { z } from "zod";
import { type Problem, problemSchema } from "../wire/problem.ts";
import { LARGEST_PROGRAM_CHARS } from "../events/cell-events.ts";

const messageSchema = z.looseObject({ jsonrpc: z.literal("2.0") });

/** Body of `POST /mcp`: a message of JSON-RPC, or several from a client of the older protocol. */
export const mcpMessageSchema = z.union([messageSchema, z.array(messageSchema).min(1).max(100)]);
export type McpMessage = z.infer<typeof mcpMessageSchema>;

/** What `/mcp` answers: a result, an error, or on a stream also notifications and questions. */
export const jsonRpcAnswerSchema = messageSchema;

const errorSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.null(),
  error: z.object({ code: z.int(), message: z.string() }),
});

/** A refusal of `/mcp`: a problem like any other, which also says itself as JSON-RPC. */
export const jsonRpcProblemSchema = z.object({ ...problemSchema.shape, ...errorSchema.shape });
type JsonRpcProblem = z.infer<typeof jsonRpcProblemSchema>;

/** From the numbers that JSON-RPC leaves to its users; which of them, HTTP's status says. */
const REFUSED = -32_000;

export function withJsonRpcError(problem: Problem): JsonRpcProblem {
  const { title, detail, hint } = problem;
  const message = [detail ?? title, ...(hint === undefined ? [] : [hint])].join(". ");
  return { ...problem, jsonrpc: "2.0", id: null, error: { code: REFUSED, message } };
}

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

export const memorySearchInputSchema = z.object({
  query: z.string().min(1).max(1_000).describe("A question, or words, in any language"),
  maxResults: z.int().min(1).max(100).optional().describe("How many at most; 6 unless told or set otherwise"),
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
