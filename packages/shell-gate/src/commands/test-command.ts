import { type Argument, isKnown, textOf } from "../words/argument.ts";
import type { CommandContext, CommandRule } from "../command-spec.ts";

const FILE_TEST = /^-[abcdefghkprsuwxGLNOS]$/;
const BINARY = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;
const COMPARES_FILES = /^-(?:nt|ot|ef)$/;
/** With these, a name's index is evaluated, and runs commands. */
const EVALUATES = /^-[vR]$/;

export const test: CommandRule = (context, words) => judgeTest(context, words);

export const bracket: CommandRule = (context, words) => {
  if (!isKnown(words.at(-1), "]")) return context.ask("`[` has no `]`");
  judgeTest(context, words.slice(0, -1));
};

function judgeTest(context: CommandContext, words: readonly Argument[]): void {
  for (const [index, word] of words.entries()) {
    const text = textOf(word);
    const [before, after] = [textOf(words[index - 1]), textOf(words[index + 1])];
    if (text !== undefined && EVALUATES.test(text))
      context.ask(`\`${context.name} ${text}\` evaluates a name's index`);
    const next = words[index + 1];
    if (text !== undefined && FILE_TEST.test(text) && next !== undefined && !BINARY.test(after ?? ""))
      context.path(next, "read");
    if (text !== undefined && COMPARES_FILES.test(text))
      for (const side of [words[index - 1], next]) if (side !== undefined) context.path(side, "read");
    if (word.kind === "pipe" || word.kind === "found")
      context.ask(`\`${context.name}\` is given what is not followed`);
    if (word.kind !== "unknown") continue;
    const hasPlace = /^-[nz]$/.test(before ?? "") || BINARY.test(before ?? "") || BINARY.test(after ?? "");
    const isNumberLike = word.start === "operand";
    if (!hasPlace || words.length > 4 || (word.count === "many" && !isNumberLike))
      context.ask(`\`${context.name}\` may test anything: ${word.why}`);
  }
}
