import type { SlashCommandHead, SlashCommands } from "@deputy/tools";
import { type TextFolder, readableText } from "../agents/text-folder.ts";
import { makeVisible } from "@deputy/kit";

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
    const parsed = await parseSlashCommand(file.text);
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

/** A prompt that the user keeps in a Markdown file. */
interface SlashCommandFile {
  readonly description: string;
  readonly argumentHint: string;
  readonly prompt: string;
}

type ParsedSlashCommand =
  | { readonly kind: "ok"; readonly command: SlashCommandFile }
  | { readonly kind: "bad"; readonly why: string };

const FIELDS = ["description", "argument-hint"] as const;
const DESCRIPTION_CHARS = 200;

/**
 * Reads the text of `commands/NAME.md`. Front matter is optional; without a description, the first line is it.
 * Fields such as `allowed-tools` are passed over: what may run is up to the policy, never to a prompt.
 */
export async function parseSlashCommand(text: string): Promise<ParsedSlashCommand> {
  const readable = readableText(text);
  const hasHead = /^---[ \t]*\n/.test(readable);
  const parsed = hasHead
    ? (await import("../skills/front-matter.ts")).parseFrontMatter(readable, FIELDS)
    : { kind: "ok" as const, fields: {}, body: readable.trim() };
  if (parsed.kind === "bad") return parsed;
  if (parsed.body === "") return { kind: "bad", why: "it says nothing" };
  const fields: Readonly<Record<string, string>> = parsed.fields;
  const shown = (field: (typeof FIELDS)[number]): string =>
    makeVisible(fields[field] ?? "")
      .replaceAll(/\s+/g, " ")
      .slice(0, DESCRIPTION_CHARS);
  const firstLine = (parsed.body.split("\n", 1)[0] ?? "").replace(/^#+\s*/, "").slice(0, DESCRIPTION_CHARS);
  return {
    kind: "ok",
    command: {
      description: shown("description") || firstLine,
      argumentHint: shown("argument-hint"),
      prompt: parsed.body,
    },
  };
}

/**
 * Puts the arguments into the prompt: `$ARGUMENTS` stands for all of them, `$1` to `$9` for the single words, where
 * quotes keep words together. If the prompt has no place for them, they go to its end. Arguments are never expanded.
 */
export function expandSlashCommand(prompt: string, args: string): string {
  const given = args.trim();
  const words = wordsOf(given);
  let isUsed = false;
  const expanded = prompt.replaceAll(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_all, name: string) => {
    isUsed = true;
    return name === "ARGUMENTS" ? given : (words[Number(name) - 1] ?? "");
  });
  return isUsed || given === "" ? expanded : `${expanded}\n\n${given}`;
}

function wordsOf(args: string): readonly string[] {
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
