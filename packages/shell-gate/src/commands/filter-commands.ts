import type { Argument } from "../words/argument.ts";
import {
  type CommandContext,
  type CommandSpec,
  type CommandTable,
  hasOption,
  type ReadArguments,
  valuesOf,
} from "../command-spec.ts";
import { readArguments } from "../words/read-arguments.ts";
import { findSedEffect } from "./sed-script.ts";

const awk: CommandSpec = {
  values: { F: "data", v: "data" },
  longValues: { "field-separator": "data", assign: "data" },
  stopsAtOperand: true,
  operands: (context, { operands }) => {
    const [program, ...files] = operands;
    const text = knownProgram(context, program);
    const effect = text === undefined ? undefined : findAwkEffect(text);
    if (effect !== undefined) context.ask(`the program of \`${context.name}\` has ${effect}`);
    if (/while|do\b|for\s*\([^;()]*;\s*;|\d{7}/.test(text ?? ""))
      context.endless(`the program of \`${context.name}\` may go on for ever`);
    for (const file of files) if (file.kind !== "known" || file.text !== "-") context.path(file, "read");
  },
};

const jq: CommandSpec = {
  flags: "rcnsejSaCMR",
  long: "raw-output compact-output null-input slurp exit-status join-output sort-keys ascii-output color-output monochrome-output raw-input tab seq stream unbuffered",
  longValues: { indent: "data" },
  operands: "data",
};

/** Commands with a small language of their own. */
export const filterCommands: CommandTable = {
  awk,
  gawk: awk,
  mawk: awk,
  sed: {
    flags: "nErsuz",
    values: { e: "known" },
    optional: "i",
    long: "quiet silent regexp-extended separate unbuffered null-data posix debug sandbox",
    longValues: { expression: "known" },
    longOptional: "in-place",
    operands: judgeSed,
  },
  jq: (context, words) => {
    const read = readArguments(context, jq, withoutNamedValues(words));
    judgeJq(context, read);
  },
};

function knownProgram(context: CommandContext, program: Argument | undefined): string | undefined {
  if (program?.kind === "known") return program.text;
  context.ask(`what \`${context.name}\` is to do is not known before it runs`);
  return undefined;
}

function judgeSed(context: CommandContext, read: ReadArguments): void {
  const given = valuesOf(read, "e", "--expression");
  const scripts = given.length > 0 ? given : read.operands.slice(0, 1);
  if (scripts.length === 0 && !hasOption(read, "--help", "--version")) context.ask("`sed` has no script");
  const texts = scripts.flatMap((script) => knownProgram(context, script) ?? []);
  const effect = findSedEffect(texts.join("\n"));
  if (effect !== undefined) context.ask(`the script of \`sed\` has or does this: ${effect}`);
  if (/[bt]/.test(texts.join("\n").replaceAll(/(?:s|y)(\W).*?\1.*?\1\w*/g, "")) && /:/.test(texts.join()))
    context.endless("the script of `sed` may go round for ever");
  const inPlace = hasOption(read, "i", "--in-place");
  if (valuesOf(read, "i", "--in-place").some((suffix) => suffix.kind !== "known" || /[/*]/.test(suffix.text)))
    context.ask("`sed -i` keeps a copy elsewhere");
  for (const file of read.operands.slice(given.length > 0 ? 0 : 1))
    if (file.kind !== "known" || file.text !== "-") context.path(file, inPlace ? "write" : "read");
}

/** `--arg name value` takes two words, which are data to the filter. */
function withoutNamedValues(words: readonly Argument[]): readonly Argument[] {
  const rest: Argument[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) continue;
    const values = words.slice(index + 1, index + 3);
    const isNamed = word.kind === "known" && /^--arg(?:json)?$/.test(word.text);
    if (isNamed && values.length === 2 && values.every(isOneWord)) index += 2;
    else rest.push(word);
  }
  return rest;
}

function isOneWord(word: Argument): boolean {
  return word.kind === "known" || (word.kind === "unknown" && word.count === "one");
}

function judgeJq(context: CommandContext, { operands }: ReadArguments): void {
  const [filter, ...files] = operands;
  const text = knownProgram(context, filter);
  const word =
    /(?<![A-Za-z_])(?:env|import|include|modulemeta|input_filename|get_search_list|debug|stderr)\b|\$ENV|\$__prog/.exec(
      text ?? "",
    )?.[0];
  if (word !== undefined) context.ask(`the filter of \`jq\` has \`${word}\``);
  if (/repeat|while|until|recurse\(|range|def\b|limit|\*|\d{7}/.test(text ?? ""))
    context.endless("the filter of `jq` may go on for ever");
  for (const file of files) context.path(file, "read");
}

/** Wherever they stand: awk reads `1system` as a number and a call. */
const POWERFUL = /system|getline|ENVIRON|PROCINFO|ARGV|ARGC|ARGIND|SYMTAB|FUNCTAB|@/;

/**
 * Why an awk program may do more than print; nothing where it cannot. Where a `/` could begin a pattern or be a
 * division, quotes may not be what they seem, so the whole text is searched.
 */
function findAwkEffect(program: string): string | undefined {
  const code = program.includes("/") ? program : maskStrings(program);
  if (code === undefined) return "a text or comment that is not followed";
  const word = POWERFUL.exec(code)?.[0];
  if (word !== undefined) return `\`${word}\``;
  if (program.includes("/")) {
    const sign = /[|>]/.exec(code)?.[0];
    return sign === undefined ? undefined : `\`${sign}\` beside a \`/\``;
  }
  if (/\|/.test(code.replaceAll("||", ""))) return "`|`, which runs a command";
  return writesFile(code) ? "`>`, which writes a file" : undefined;
}

function maskStrings(program: string): string | undefined {
  const masked = program.replaceAll(/"(?:[^"\\\n]|\\[^\n])*"/g, " ");
  return /["#\\]/.test(masked) ? undefined : masked;
}

/** A `>` compares in a pattern and within parentheses; elsewhere it redirects. */
function writesFile(code: string): boolean {
  let braces = 0;
  let parentheses = 0;
  for (const char of code) {
    if (char === "{") braces += 1;
    else if (char === "}") braces -= 1;
    else if (char === "(") parentheses += 1;
    else if (char === ")") parentheses -= 1;
    else if (char === ">" && braces > 0 && parentheses <= 0) return true;
  }
  return false;
}
