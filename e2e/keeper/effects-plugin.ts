import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@deputy/tools";
import { z } from "zod";

/** What it does is a line in a file: which call, and what for. `hold`: it waits before that until the file `go` is there. */
const directory = process.env["EFFECTS"] ?? "";
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export default {
  effects: {
    add: defineTool({
      description: "Has an effect",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({ what: z.string(), waitMs: z.number().optional() }),
      returns: z.object({ done: z.boolean() }),
      run: async ({ what, waitMs = 0 }, { idempotencyKey }) => {
        await pause(waitMs);
        appendFileSync(join(directory, "effects"), `${idempotencyKey} ${what}\n`);
        return { done: true };
      },
    }),
    hold: defineTool({
      description: "Has an effect once it is told to go on",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({ what: z.string() }),
      returns: z.object({ done: z.boolean() }),
      run: async ({ what }, { idempotencyKey, signal }) => {
        appendFileSync(join(directory, "held"), `${what}\n`);
        while (!existsSync(join(directory, "go"))) {
          signal.throwIfAborted();
          await pause(20);
        }
        appendFileSync(join(directory, "effects"), `${idempotencyKey} ${what}\n`);
        return { done: true };
      },
    }),
  },
};
