import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@deputy/tools";
import { z } from "zod";

const directory = process.env["EFFECTS"] ?? "";
const note = (file: string, text: string): void => appendFileSync(join(directory, file), `${text}\n`);

const args = z.object({ what: z.string() });

export default {
  effects: {
    hold: defineTool({
      description:
        "Has an effect once the file `go` is there; repeated under the same key it has no second one",
      approval: "auto",
      idempotent: true,
      args,
      run: async ({ what }, { idempotencyKey, signal }) => {
        note("held", what);
        while (!existsSync(join(directory, "go"))) {
          signal.throwIfAborted();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        note("effects", `${idempotencyKey} ${what}`);
        return { done: true };
      },
    }),
    ask: defineTool({
      description: "Has an effect once the user has allowed it",
      approval: "required",
      args,
      run: async ({ what }, { idempotencyKey }) => {
        note("effects", `${idempotencyKey} ${what}`);
        return { done: true };
      },
    }),
  },
};
