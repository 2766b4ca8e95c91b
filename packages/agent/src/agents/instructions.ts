import { joinText, ours, type Text, textBy } from "../ingress/labelled-text.ts";
import { markedParts } from "@deputy/memory/told-by";
import { readableText } from "./readable-text.ts";
import type { TextFolder } from "./text-folder.ts";

/** The files that every prompt of an agent contains, in this order. The ones that change least come first. */
const PROMPT_FILES = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "MEMORY.md"] as const;
const MAX_FILE_BYTES = 24_000;
const MAX_ALL_CHARS = 60_000;

export interface Instructions {
  readonly text: Text;
  /** Problems that the user should fix, each with the file it is about. */
  readonly problems: readonly string[];
}

/**
 * Joins an agent's files into one text. It leaves out missing and empty files, and HTML comments, which are for the
 * person who edits the file. A file that is too large is cut, and the text says so.
 */
export async function readInstructions(
  folder: TextFolder,
  slug: string,
  signal: AbortSignal,
): Promise<Instructions> {
  const parts: Text[] = [];
  const problems: string[] = [];
  let room = MAX_ALL_CHARS;
  for (const name of PROMPT_FILES) {
    const path = `${slug}/${name}`;
    const read = await folder.read(path, MAX_FILE_BYTES, signal);
    if (read.kind === "missing") continue;
    if (read.kind === "unreadable") {
      problems.push(`${path} cannot be read: ${read.why}. The agent does without it.`);
      continue;
    }
    if (read.isCut)
      problems.push(`${path} is larger than ${MAX_FILE_BYTES} bytes; the rest is left out of the prompt.`);
    const whole = readableText(read.text).replaceAll(COMMENT, "").trim();
    if (whole === "") continue;
    const text = whole.slice(0, room).replace(HALF_A_CHARACTER, "");
    room -= text.length;
    if (text.length < whole.length) {
      problems.push(
        `${path} does not fit: an agent's files have ${MAX_ALL_CHARS} characters in all, and the rest is left out of the prompt.`,
      );
    }
    const isCut = read.isCut || text.length < whole.length;
    const mark = isCut ? ours`\n[The rest of this file was left out.]` : [];
    const by = { kind: "configuration" } as const;
    parts.push(ours`# ${textBy(by, name)}\n${labelled(text)}${mark}`);
  }
  return { text: joinText(parts, ours`\n\n`), problems };
}

/**
 * Lines that Deputy noted from others' text say whose they are, and stay theirs: that the user has agreed to such a line
 * makes none of it the user's word.
 */
function labelled(text: string): Text {
  let rest = 0;
  const parts: Text[] = [];
  for (const { from, to, source } of markedParts(text)) {
    parts.push(textBy({ kind: "configuration" }, text.slice(rest, from)));
    parts.push(textBy({ kind: "other", source, weight: "text" }, text.slice(from, to)));
    rest = to;
  }
  parts.push(textBy({ kind: "configuration" }, text.slice(rest)));
  return parts.flat();
}

/** The mark of whose words a line is stays: the model is to see it, too. */
const COMMENT = /<!--(?! told by: )[^]*?-->/g;
const HALF_A_CHARACTER = /[\ud800-\udbff]$/;
