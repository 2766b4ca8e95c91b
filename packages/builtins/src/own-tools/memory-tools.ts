import { z } from "zod";
import { defineTool, type ToolTree } from "@deputy/tools";

/** What agents find in their memory. */
export interface OwnMemory {
  /** For the agent of this session; `maxResults` by default as the settings say. Rejects as the memory does. */
  search(
    request: { readonly session: string; readonly query: string; readonly maxResults: number | undefined },
    signal: AbortSignal,
  ): Promise<MemoryFindings>;
}

const hitSchema = z.object({
  source: z.enum(["memory", "notes", "daily", "extra", "session"]),
  path: z.string().describe("The file, or the session's id"),
  lines: z.string().describe("Which lines of it: 3-17"),
  about: z.string().describe("Its headings and date"),
  text: z.string(),
  score: z.number(),
});

const findingsSchema = z.object({
  hits: z.array(hitSchema),
  by: z.enum(["words and meaning", "words"]),
  note: z.string().optional().describe("What is missing, if something is"),
});
export type MemoryFindings = z.output<typeof findingsSchema>;

/** `tools.memory`: what is remembered beyond a session. To a program it is somebody else's text, whoever wrote it. */
export function memoryTools(memory: () => OwnMemory): ToolTree {
  return {
    search: defineTool({
      description: "Finds what was noted or said before, by meaning and by words",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({
        query: z.string().min(1).max(2_000),
        maxResults: z.int().min(1).max(100).optional(),
      }),
      returns: findingsSchema,
      source: () => "the memory",
      run: ({ query, maxResults }, { session, sessionKey, signal }) =>
        memory().search({ session: session ?? sessionKey, query, maxResults }, signal),
    }),
  };
}
