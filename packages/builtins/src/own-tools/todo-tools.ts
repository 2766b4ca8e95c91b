import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";

const item = z.object({
  text: z.string().min(1).max(1_000),
  status: z.enum(["open", "doing", "done"]).default("open"),
});
const list = z.array(item).max(200);
export const todoInputSchema = z.object({ items: list });
export type TodoItem = z.infer<typeof item>;

/** `tools.todo`: the list of a session. It is what was last written in it: the log has it, and nothing else. */
export function todoTools(
  read: (session: string, signal: AbortSignal) => Promise<readonly TodoItem[]>,
): ToolTree {
  return {
    read: defineTool({
      description: "Read this session's todo list",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({}),
      returns: z.object({ items: list }),
      run: async (_input, { session, sessionKey, signal }) => ({
        items: [...(await read(session ?? sessionKey, signal))],
      }),
    }),
    write: defineTool({
      description: "Update this session's todo list: replaces all of it",
      approval: "auto",
      effect: "write",
      isLocal: true,
      critical: [],
      idempotent: true,
      // Numbers of ours: nothing of what was written comes back.
      trust: "trusted",
      args: todoInputSchema,
      returns: z.object({ open: z.int(), doing: z.int(), done: z.int() }),
      run: ({ items }) => {
        const count = (status: TodoItem["status"]): number =>
          items.filter((one) => one.status === status).length;
        return { open: count("open"), doing: count("doing"), done: count("done") };
      },
    }),
  };
}
