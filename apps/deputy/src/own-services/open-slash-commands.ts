import { join } from "node:path";
import { createSlashCommands } from "@deputy/agent";
import type { SlashCommands } from "@deputy/tools";
import { openDiskFolder } from "../agents/disk-folder.ts";

const FOLDER = "commands";

/** The user's own commands in a home: `commands/NAME.md`. Reads nothing yet. */
export function openSlashCommands(home: string): SlashCommands {
  return createSlashCommands(openDiskFolder(join(home, FOLDER), { within: "anywhere" }));
}
