import type { Assignment } from "../parse/script.ts";
import { quoteTrace } from "../text/quote.ts";
import type { Shell } from "./shell.ts";

/** Stands for an assignment among the words of `declare`. */
export const MARK = "\u0000assignment:";

export function traceLine(shell: Shell, text: string): void {
  const ps4 = shell.variables.text("PS4") ?? "+ ";
  const first = ps4.slice(0, 1);
  shell.writeError(`${first.repeat(shell.subshellDepth)}${ps4}${text}\n`);
}

/** A word as it was written, if it stands for an assignment. */
export function shownWord(word: string, declared: readonly Assignment[]): string {
  if (!word.startsWith(MARK)) return word;
  const assignment = declared[Number(word.slice(MARK.length))];
  if (assignment === undefined) return "";
  return assignment.value.kind === "array" ? assignment.name : `${assignment.name}=${assignment.value.text}`;
}

/** A command and its words, as `set -x` shows them. */
export function trace(shell: Shell, words: readonly string[], declared: readonly Assignment[]): void {
  const shown = words.map((word) => {
    if (!word.startsWith(MARK)) return quoteTrace(word);
    const assignment = declared[Number(word.slice(MARK.length))];
    return assignment === undefined
      ? ""
      : `${assignment.name}=${assignment.value.kind === "array" ? "(…)" : assignment.value.text}`;
  });
  traceLine(shell, shown.join(" "));
}
