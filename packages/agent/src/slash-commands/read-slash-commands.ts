import type { SlashCommandHead, SlashCommands } from "@deputy/tools";
import type { TextFolder } from "../agents/text-folder.ts";
import { expandSlashCommand, parseSlashCommand, type SlashCommandFile } from "./slash-command-file.ts";

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const MAX_NAME_CHARS = 64;
const MAX_FILES = 200;
const MAX_BYTES = 50_000;

/**
 * The user's own commands, `NAME.md` in one folder, as they are at each look. One that cannot be read, or is
 * longer than a prompt should be, is not there.
 */
export function createSlashCommands(folder: TextFolder): SlashCommands {
  const read = async (name: string, signal: AbortSignal): Promise<SlashCommandFile | undefined> => {
    if (!NAME.test(name) || name.length > MAX_NAME_CHARS) return undefined;
    const file = await folder.read(`${name}.md`, MAX_BYTES, signal);
    if (file.kind !== "text" || file.isCut) return undefined;
    const parsed = parseSlashCommand(file.text);
    return parsed.kind === "ok" ? parsed.command : undefined;
  };
  return {
    async list(signal) {
      const listed = await folder.list("", MAX_FILES, signal);
      if (listed.kind !== "entries") return [];
      const heads: SlashCommandHead[] = [];
      for (const { name: file, kind } of listed.entries) {
        const name = file.replace(/\.md$/, "");
        const command = kind === "file" && name !== file ? await read(name, signal) : undefined;
        if (command === undefined) continue;
        const { description, argumentHint } = command;
        heads.push({ name, description, argumentHint });
      }
      return heads;
    },
    async expand(name, args, signal) {
      const command = await read(name, signal);
      return command === undefined ? undefined : expandSlashCommand(command.prompt, args);
    },
  };
}
