import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { SlashCommands } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";

/**
 * `tools.slash_command`: the prompts behind `/name`. The user's files count as the user's own text; the arguments do
 * not.
 */
export function slashCommandTools(commands: SlashCommands): ToolTree {
  return {
    list: defineTool({
      description: "The user's own commands: prompts that they use by name",
      approval: "auto",
      effect: "read",
      isLocal: true,
      trust: "trusted",
      args: z.object({}),
      returns: z.array(z.object({ name: z.string(), description: z.string(), argumentHint: z.string() })),
      run: async (_input, { signal }) => [...(await commands.list(signal))],
    }),
    expand: defineTool({
      description: "The prompt of one of the user's own commands, to be followed when they ask for it",
      approval: "auto",
      effect: "read",
      isLocal: true,
      trust: "trusted",
      throws: ["slash_command_not_found"],
      args: z.object({ name: z.string().min(1).max(64), arguments: z.string().max(10_000).default("") }),
      returns: z.string(),
      run: async (input, { signal }) => {
        const prompt = await commands.expand(input.name, input.arguments, signal);
        if (prompt === undefined)
          throw new ToolsError("slash_command_not_found", `There is no command /${input.name}`, {
            hint: "slash_command.list shows those there are.",
            quotes: [input.name],
          });
        return prompt;
      },
    }),
  };
}
