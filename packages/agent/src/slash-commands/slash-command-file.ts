import { makeVisible } from "@deputy/kit";
import { readableText } from "../agents/readable-text.ts";
import { parseFrontMatter } from "../skills/front-matter.ts";

/** A prompt that the user keeps in a Markdown file. */
export interface SlashCommandFile {
  readonly description: string;
  readonly argumentHint: string;
  readonly prompt: string;
}

export type ParsedSlashCommand =
  | { readonly kind: "ok"; readonly command: SlashCommandFile }
  | { readonly kind: "bad"; readonly why: string };

const FIELDS = ["description", "argument-hint"] as const;
const DESCRIPTION_CHARS = 200;

/**
 * Reads the text of `commands/NAME.md`. Front matter is optional; without a description, the first line is it.
 * Fields such as `allowed-tools` are passed over: what may run is up to the policy, never to a prompt.
 */
export function parseSlashCommand(text: string): ParsedSlashCommand {
  const readable = readableText(text);
  const hasHead = /^---[ \t]*\n/.test(readable);
  const parsed = hasHead
    ? parseFrontMatter(readable, FIELDS)
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
