import { expandNow } from "../expand/expand-now.ts";
import { expandPrompt } from "../expand/prompt.ts";
import { quoteTrace } from "../text/quote.ts";
import type { Element } from "../variables/assign-array.ts";
import type { Shell } from "./shell.ts";

/** An assignment among the words of `declare` and its like, expanded. */
export interface Declared {
  readonly name: string;
  readonly subscript: string | undefined;
  readonly append: boolean;
  readonly value: string | readonly Element[];
}

/** Stands for an assignment among the words of `declare`. */
export const MARK = "\u0000assignment:";

/** What `set -x` writes before a line: the first character once more for each substitution, `eval` or sourced file. */
export function traceLine(shell: Shell, text: string): void {
  const ps4 = shell.variables.text("PS4");
  if (ps4 === undefined) return shell.writeError(`${text}\n`);
  // What is run for the prompt itself is not traced.
  shell.options.delete("xtrace");
  const { status } = shell;
  const prompt = expandNow(shell, expandPrompt(shell, ps4), "document");
  shell.status = status;
  shell.options.add("xtrace");
  shell.writeError(`${prompt.slice(0, 1).repeat(shell.indirection)}${prompt}${text}\n`);
}

function declaredOf(word: string, declared: readonly Declared[]): Declared | undefined {
  return word.startsWith(MARK) ? declared[Number(word.slice(MARK.length))] : undefined;
}

/** A word as it was written, if it stands for an assignment. */
export function shownWord(word: string, declared: readonly Declared[]): string {
  const assignment = declaredOf(word, declared);
  if (assignment === undefined) return word;
  const { name, append, value } = assignment;
  return typeof value === "string" ? `${name}${append ? "+" : ""}=${value}` : name;
}

/** A command and its words, as `set -x` shows them. */
export function trace(shell: Shell, words: readonly string[], declared: readonly Declared[]): void {
  for (const { name, append, value } of declared) {
    if (typeof value === "string") continue;
    const items = value.map(({ key, value: item }) => `${key === undefined ? "" : `['${key}']=`}'${item}'`);
    traceLine(shell, `${name}${append ? "+" : ""}=(${items.join(" ")})`);
  }
  traceLine(shell, words.map((word) => quoteTrace(shownWord(word, declared))).join(" "));
  if (words[0] !== "readonly" && words[0] !== "export") return;
  for (const { name, append, value } of declared)
    if (typeof value === "string") traceLine(shell, `${name}${append ? "+" : ""}=${quoteTrace(value)}`);
}
