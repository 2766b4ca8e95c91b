import { z } from "zod";
import type { ToolTree } from "@deputy/tools";
import { notAvailableTool } from "./not-available.ts";

const missing = {
  missing: "Memory is",
  hint: "sessions.search finds what was said before; files.* has the workspace.",
};

/** `tools.memory`: what is remembered beyond a session. */
export function memoryTools(): ToolTree {
  return {
    search: notAvailableTool({
      description: "Finds what was noted or said before, by meaning and by words",
      args: z.object({
        query: z.string().min(1).max(2_000),
        maxResults: z.int().min(1).max(100).optional(),
      }),
      returns: z.object({
        hits: z.array(
          z.object({
            id: z.string(),
            source: z.string().describe("The file or session it is from"),
            text: z.string(),
            score: z.number(),
          }),
        ),
        stale: z.boolean().describe("Some of it is not indexed yet"),
      }),
      ...missing,
    }),
    write: notAvailableTool({
      description: "Notes something down, to be found later",
      args: z.object({
        text: z.string().min(1).max(10_000),
        heading: z.string().max(200).optional().describe("Under which it stands"),
      }),
      returns: z.object({ id: z.string(), source: z.string() }),
      ...missing,
    }),
    forget: notAvailableTool({
      description: "Removes what was noted, everywhere it is kept",
      args: z.object({ ids: z.array(z.string().min(1)).min(1).max(100) }),
      returns: z.object({ removed: z.array(z.string()).describe("What is gone, in words") }),
      ...missing,
    }),
  };
}
