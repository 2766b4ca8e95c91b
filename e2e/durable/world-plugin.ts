import { defineTool } from "@deputy/tools";
import { z } from "zod";
import { createRandom } from "../crash-run.ts";
import { answerTo, openWorld } from "./world.ts";

/** The tools of the kill test. What they need to know comes by the environment, as with any plugin. */
const { DURABLE_WORLD: directory = "", DURABLE_MODE: mode, DURABLE_SEED: seed = "1" } = process.env;
const world = openWorld(directory);
const isCalm = seed === "calm";
const random = createRandom(isCalm ? 1 : Number(seed));
const isIdempotent = mode !== "questioned";

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, random(30)));
}

/** The moments that matter most: right before an effect, and after it before anybody knows. */
function maybeDie(): void {
  if (isCalm || random(300) !== 0) return;
  // The engine, whose child this process is, and at once this one: nothing happens after it.
  process.kill(process.ppid, "SIGKILL");
  process.kill(process.pid, "SIGKILL");
}

async function act(key: string, task: string, what: string): Promise<{ readonly n: number }> {
  await pause();
  maybeDie();
  if (!isIdempotent || world.done(key) === undefined) world.do({ key, task, what });
  maybeDie();
  await pause();
  return answerTo(what);
}

const args = z.object({ task: z.string(), n: z.number() });
const returns = z.object({ n: z.number() });

export default {
  world: {
    list: defineTool({
      description: "What there is to close",
      approval: "auto",
      args: z.object({}),
      returns: z.array(z.number()),
      run: async () => {
        await pause();
        return [1, 2, 3];
      },
    }),
    close: defineTool({
      description: "Close one",
      approval: "required",
      idempotent: isIdempotent,
      args,
      returns,
      run: ({ task, n }, { idempotencyKey }) => act(idempotencyKey, task, `close ${n}`),
    }),
    put: defineTool({
      description: "Put one",
      approval: "auto",
      effect: "write",
      idempotent: isIdempotent,
      args,
      returns,
      run: ({ task, n }, { idempotencyKey }) => act(idempotencyKey, task, `put ${n}`),
    }),
  },
};
