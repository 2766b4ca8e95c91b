import { isKnown, textOf } from "../words/argument.ts";
import type { CommandTable } from "../command-spec.ts";
import { readArguments } from "../words/read-arguments.ts";
import { mayBeGiven, mayBeSet } from "../words/variables.ts";
import { bracket, test } from "./test-command.ts";

/** Builtins that print or compare; what they change in the shell itself is in judge-builtin.ts. */
export const shellBuiltins: CommandTable = {
  test,
  "[": bracket,
  printf: (context, words) => {
    const rest = isKnown(words[0], "--") ? words.slice(1) : words;
    const format = textOf(rest[0]);
    if (format === undefined) return context.ask("the format of `printf` is not known before it runs");
    if (format.startsWith("-")) context.ask(`option \`${format}\` of \`printf\` may set a variable`);
    if (/%[^%A-Za-z(]*[hjlLtz]*n/.test(format.replaceAll("%%", "")))
      context.ask("`printf %n` sets a variable");
    if (/%[^%A-Za-z]*\*/.test(format)) context.endless("`printf` is given a width as it runs");
    if (words.some(({ kind }) => kind === "pipe")) context.ask("`printf` is given a process substitution");
  },
  set: (context, words) => {
    const isHarmless =
      words.length > 0 &&
      words.every(
        (word) =>
          isKnown(word) && /^(?:[-+][eu]*o?|pipefail|errexit|nounset)$/.test(word.text) && word.text !== "-",
      );
    if (!isHarmless || words.every((word) => isKnown(word) && /^[-+]o$/.test(word.text)))
      context.ask("`set` changes or shows how the shell works");
  },
  export: (context, words) => {
    for (const word of words) {
      const [name = "", ...value] = (textOf(word) ?? "").split("=");
      if (!mayBeGiven(name, value.length > 0 ? value.join("=") : undefined))
        context.ask(`\`export\` gives ${name === "" ? "something" : name} to commands`);
    }
    if (words.length === 0) context.ask("`export` shows the whole environment");
  },
  unset: (context, words) => {
    for (const word of words)
      if (!isKnown(word) || !mayBeSet(word.text))
        context.ask("`unset` removes what the shell or its commands act on");
  },
  read: (context, words) => {
    const { operands } = readArguments(
      context,
      { flags: "rs", values: { d: "data", n: "known", t: "known", p: "data", N: "known" }, operands: "data" },
      words,
    );
    for (const name of operands)
      if (!isKnown(name) || !mayBeSet(name.text))
        context.ask("`read` sets what the shell or its commands act on");
  },
  break: { operands: "none" },
  continue: { operands: "none" },
};
