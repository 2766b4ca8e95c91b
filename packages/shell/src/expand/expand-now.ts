import { parseScript } from "../parse/parse-script.ts";
import type { Word } from "../parse/word.ts";
import { parseWord, type WordMode } from "../parse/word-parser.ts";
import { Discard } from "../run/flow.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";

/** A text that turned up at run time, as a word: the value of `PS4`, the subscript that a nameref holds. */
export function wordOf(shell: Shell, text: string, mode: WordMode): Word {
  return parseWord(text, mode, {
    parseNested: (source, line) => parseScript(source, line),
    line: shell.line,
  });
}

/** Expands such a text where nothing can wait. Gives it as it is if one of its commands would have to. */
export function expandNow(shell: Shell, text: string, mode: WordMode): string {
  if (!/[$`\\'"]/.test(text)) return text;
  try {
    return runNow(shell.engine.expandText(shell, wordOf(shell, text, mode))) ?? text;
  } catch (error) {
    if (error instanceof Discard) return text;
    throw error;
  }
}

function runNow<T>(task: Task<T>): T | undefined {
  const step = task.next();
  if (step.done === true) return step.value;
  task.return(undefined as never);
  return undefined;
}
