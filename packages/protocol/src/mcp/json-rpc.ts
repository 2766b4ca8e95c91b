import { z } from "zod";
import { type Problem, problemSchema } from "../wire/problem.ts";

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
