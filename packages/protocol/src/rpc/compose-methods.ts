import { z } from "zod";
import { method } from "./rpc-method.ts";

const name = z.string().min(1).max(64);

/** What helps somebody who writes a message. */
export const composeMethods = {
  "commands.list": method(
    "What a message can begin with: the user's own commands, and the skills of an agent, or of the default one",
    z.strictObject({ agentId: z.string().min(1).max(100).optional() }),
    z.object({
      commands: z.array(z.object({ name: z.string(), description: z.string(), argumentHint: z.string() })),
      skills: z.array(z.object({ name: z.string(), description: z.string() })),
    }),
  ),
  "commands.expand": method(
    "The prompt of one of the user's own commands, with its arguments in it",
    z.strictObject({ name, arguments: z.string().max(10_000).optional() }),
    z.object({ prompt: z.string() }),
  ),
  "workspace.find": method(
    "Files of the workspace whose paths have these letters in this order, the best first",
    z.strictObject({ query: z.string().max(500), limit: z.int().min(1).max(100).optional() }),
    z.object({ paths: z.array(z.string()), hasMore: z.boolean() }),
  ),
} as const;
