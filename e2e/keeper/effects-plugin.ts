import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@deputy/tools";
import { z } from "zod";

/** What its tools do is a line in a file: which call, and what for. */
const directory = process.env["EFFECTS"] ?? "";
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const returns = z.object({ done: z.boolean() });
const terms = { effect: "write", critical: [], returns } as const;

const act = (idempotencyKey: string, what: string): { done: boolean } => {
  appendFileSync(join(directory, "effects"), `${idempotencyKey} ${what}\n`);
  return { done: true };
};
const args = z.object({ what: z.string(), waitMs: z.number().optional() });
const add = async (
  { what, waitMs = 0 }: z.output<typeof args>,
  { idempotencyKey }: { readonly idempotencyKey: string },
) => {
  await pause(waitMs);
  return act(idempotencyKey, what);
};

export default {
  effects: {
    add: defineTool({ ...terms, description: "Has an effect", approval: "auto", args, run: add }),
    again: defineTool({
      ...terms,
      description: "Has an effect, and may have it again",
      approval: "auto",
      idempotent: true,
      args,
      run: add,
    }),
    ask: defineTool({
      ...terms,
      description: "Asks before it has its effect",
      approval: "required",
      args,
      run: add,
    }),
    hold: defineTool({
      ...terms,
      description: "Has an effect once a file is there",
      approval: "auto",
      args: z.object({ what: z.string(), until: z.string() }),
      run: async ({ what, until }, { idempotencyKey, signal }) => {
        appendFileSync(join(directory, "held"), `${what}\n`);
        while (!existsSync(join(directory, until))) {
          signal.throwIfAborted();
          await pause(20);
        }
        return act(idempotencyKey, what);
      },
    }),
  },
};
