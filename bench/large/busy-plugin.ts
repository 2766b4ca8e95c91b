import { defineTool } from "@deputy/tools";
import { z } from "zod";

/** What the benchmark's programs call. */
export default {
  busy: {
    list: defineTool({
      description: "A long list",
      approval: "auto",
      effect: "read",
      args: z.object({ count: z.number() }),
      returns: z.array(z.object({ id: z.number(), name: z.string() })),
      run: ({ count }) => Array.from({ length: count }, (_, n) => ({ id: n, name: `item ${n}` })),
    }),
    note: defineTool({
      description: "Note something",
      approval: "auto",
      effect: "write",
      args: z.object({ text: z.string() }),
      returns: z.number(),
      run: ({ text }) => text.length,
    }),
  },
};
