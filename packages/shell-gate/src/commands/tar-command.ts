import { type Argument, isKnown, known } from "../words/argument.ts";
import { type CommandRule, type CommandSpec, hasOption, valuesOf } from "../command-spec.ts";
import { readArguments } from "../words/read-arguments.ts";

const spec: CommandSpec = {
  flags: "tcxzjJvkpah",
  values: { f: "known" },
  long: "list create extract get gzip bzip2 xz zstd verbose auto-compress no-recursion",
  longValues: { file: "known", exclude: "data" },
  operands: "data",
};

/** Lists archives, and makes them of what may be read. What an archive holds decides what extracting writes. */
export const tar: CommandRule = (context, words) => {
  const [first, ...rest] = words;
  // The old style: letters without a dash, their values behind them.
  const isOld = isKnown(first) && /^[a-zA-Z]+$/.test(first.text);
  const read = readArguments(context, spec, isOld ? spreadOldStyle(first.text, rest) : words);
  const lists = hasOption(read, "t", "--list");
  const makes = hasOption(read, "c", "--create");
  if (hasOption(read, "--help", "--version")) return;
  if (hasOption(read, "h")) context.ask("`tar -h` follows links");
  if (hasOption(read, "x", "--extract", "--get") || lists === makes)
    return context.ask("`tar` does more than list or make an archive");
  const files = valuesOf(read, "f", "--file");
  if (files.length !== 1) context.ask("`tar` is not given one archive");
  for (const file of files) {
    if (isKnown(file) && file.text.includes(":"))
      context.ask(`\`tar\` takes ${file.text} for a file of another machine`);
    else if (!isKnown(file, "-")) context.path(file, makes ? "write" : "read");
  }
  if (makes) for (const path of read.operands) context.path(path, "read tree");
};

function spreadOldStyle(letters: string, rest: readonly Argument[]): readonly Argument[] {
  const values = [...rest];
  const options = letters.split("").flatMap((letter): readonly Argument[] => {
    const value =
      letter === "f" || letter === "C" || letter === "b" || letter === "T" || letter === "X" || letter === "I"
        ? values.shift()
        : undefined;
    return value === undefined ? [known(`-${letter}`)] : [known(`-${letter}`), value];
  });
  return [...options, ...values];
}
