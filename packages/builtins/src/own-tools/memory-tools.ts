import { z } from "zod";
import { type ToolTree, defineTool, type Tool, ToolsError } from "@deputy/tools";

const MEMORY = {
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
      ...MEMORY,
    }),
    write: notAvailableTool({
      description: "Notes something down, to be found later",
      args: z.object({
        text: z.string().min(1).max(10_000),
        heading: z.string().max(200).optional().describe("Under which it stands"),
      }),
      returns: z.object({ id: z.string(), source: z.string() }),
      ...MEMORY,
    }),
    forget: notAvailableTool({
      description: "Removes what was noted, everywhere it is kept",
      args: z.object({ ids: z.array(z.string().min(1)).min(1).max(100) }),
      returns: z.object({ removed: z.array(z.string()).describe("What is gone, in words") }),
      ...MEMORY,
    }),
  };
}

/**
 * A tool whose engine does not exist yet, with its final schemas, so that programs written now stay correct. It does
 * nothing, so the user is not asked about it; every call is `not_available`.
 */
function notAvailableTool(definition: {
  readonly description: string;
  readonly args: z.ZodType;
  readonly returns: z.ZodType;
  /** What is missing, as the beginning of a sentence. */
  readonly missing: string;
  readonly hint: string;
}): Tool {
  const { description, args, returns, missing, hint } = definition;
  return defineTool({
    description: `${description} (not available yet)`,
    approval: "auto",
    effect: "read",
    args,
    returns,
    run: () => {
      const message = `${missing} not available in this version. ${hint}`;
      throw new ToolsError("not_available", message, { hint, quotes: [] });
    },
  });
}
