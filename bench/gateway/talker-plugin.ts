import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@deputy/tools";
import { z } from "zod";

/** A tool that reports progress many times: each is an event of its task. */
export default {
  bench: {
    talk: defineTool({
      description: "Say something again and again",
      approval: "auto",
      args: z.object({
        /** Answers once everybody listens. */
        ready: z.string(),
        events: z.int(),
        everyMs: z.number(),
        text: z.string(),
      }),
      returns: z.object({ said: z.int() }),
      run: async ({ ready, events, everyMs, text }, { progress, signal }) => {
        await fetch(ready, { signal });
        for (let said = 0; said < events; said++) {
          await sleep(everyMs, undefined, { signal });
          // When it was sent, to measure the latency.
          progress(`${text} ${Date.now()}`);
        }
        return { said: events };
      },
    }),
  },
};
