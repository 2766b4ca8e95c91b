import { join } from "node:path";
import type { SlashCommands } from "@deputy/tools";
import { openDiskFolder } from "../agents/disk-folder.ts";

const FOLDER = "commands";

/** The user's own commands in a home: `commands/NAME.md`. Reads nothing yet, and loads nothing. */
export function openSlashCommands(home: string): SlashCommands {
  const open = async (): Promise<SlashCommands> => {
    const { createSlashCommands } = await import("@deputy/agent/slash-commands");
    return createSlashCommands(openDiskFolder(join(home, FOLDER), { within: "anywhere" }));
  };
  return {
    list: async (signal) => await (await open()).list(signal),
    expand: async (name, args, signal) => await (await open()).expand(name, args, signal),
  };
}
