import { type Argument, isKnown, known, textOf } from "../words/argument.ts";
import {
  type CommandContext,
  type CommandRule,
  type CommandSpec,
  type CommandTable,
  hasOption,
  valuesOf,
} from "../command-spec.ts";
import { readArguments } from "../words/read-arguments.ts";
import { mayBeGiven } from "../words/variables.ts";

type Wrapper = Omit<CommandSpec, "operands" | "stopsAtOperand">;

/** Takes options of its own and so many words, then a command that is judged as if it stood alone. */
function wrapper(own: Wrapper, leading = 0): CommandRule {
  return (context, words) => {
    const { operands } = readArguments(context, { ...own, stopsAtOperand: true, operands: "data" }, words);
    const command = operands.slice(leading);
    if (command.length === 0) return context.ask(`\`${context.name}\` starts no command`);
    context.start(command);
  };
}

/** Commands that start others. */
export const wrapperCommands: CommandTable = {
  nice: wrapper({ values: { n: "known" }, longValues: { adjustment: "known" }, takesNumber: true }),
  nohup: wrapper({}),
  setsid: wrapper({ flags: "wfc", long: "wait fork ctty" }),
  stdbuf: wrapper({
    values: { i: "known", o: "known", e: "known" },
    longValues: { input: "known", output: "known", error: "known" },
  }),
  ionice: wrapper({ flags: "t", values: { c: "known", n: "known" } }),
  timeout: wrapper(
    {
      flags: "v",
      values: { k: "known", s: "known" },
      long: "preserve-status foreground verbose",
      longValues: { "kill-after": "known", signal: "known" },
    },
    1,
  ),
  time: wrapper({ flags: "pv" }),
  builtin: wrapper({}),
  exec: wrapper({}),
  command: (context, words) => {
    const read = readArguments(context, { flags: "pvV", stopsAtOperand: true, operands: "data" }, words);
    if (hasOption(read, "v", "V")) return;
    if (read.operands.length > 0) context.start(read.operands);
  },
  env: (context, words) => {
    const read = readArguments(
      context,
      {
        flags: "i",
        values: { u: "known" },
        long: "ignore-environment",
        longValues: { unset: "known" },
        stopsAtOperand: true,
        operands: "data",
      },
      words,
    );
    const rest = [...read.operands];
    for (let word = rest[0]; word?.kind === "known" && /^[^=]+=/.test(word.text); word = rest[0]) {
      const [name = "", ...value] = word.text.split("=");
      if (!mayBeGiven(name, value.join("="))) context.ask(`\`env\` sets ${name} for a command`);
      rest.shift();
    }
    if (rest.length === 0) return context.ask("`env` shows the whole environment");
    context.start(rest);
  },
  xargs: (context, words) => {
    const own: CommandSpec = {
      flags: "0rtx",
      values: { n: "known", L: "known", P: "known", s: "known", d: "data", E: "data", I: "known", a: "read" },
      long: "null no-run-if-empty verbose exit",
      longValues: {
        "max-args": "known",
        "max-lines": "known",
        "max-procs": "known",
        delimiter: "data",
        "arg-file": "read",
      },
      stopsAtOperand: true,
      operands: "data",
    };
    const read = readArguments(context, own, words);
    const [place] = valuesOf(read, "I");
    const command = read.operands.length === 0 ? [known("echo")] : read.operands;
    const why = "what `xargs` reads";
    if (place === undefined)
      return context.start([...command, { kind: "unknown", why, count: "many", start: "any" }]);
    const mark = textOf(place);
    const filled = command.map((word): Argument =>
      mark !== undefined && mark !== "" && word.kind === "known" && word.text.includes(mark)
        ? { kind: "unknown", why, count: "one", start: "any" }
        : word,
    );
    context.start(filled);
  },
  bash: shell("bash"),
  sh: shell("sh"),
};

/** What `sh` and bash read differently. */
const ONLY_BASH = /\$['"[]|[{]|\[\[|\(\(|[<>]\(|&>|>&|\|&|<<<|\bfunction\b|\bsource\b|;&|\$\{[^}]*[/^,@!:]/;

function shell(kind: "bash" | "sh"): CommandRule {
  return (context: CommandContext, words) => {
    if (isKnown(words[0], "--version") && kind === "bash" && words.length === 1) return;
    const flags = textOf(words[0]);
    const script = textOf(words[1]);
    if (flags === undefined || !/^-[eu]*c$/.test(flags) || words.length < 2)
      return context.ask(`\`${context.name}\` runs a script that is not given as \`-c\``);
    if (script === undefined)
      return context.ask(`the script of \`${context.name} -c\` is not known before it runs`);
    if (script.startsWith("-"))
      return context.ask(`the script of \`${context.name} -c\` looks like an option`);
    if (kind === "sh" && ONLY_BASH.test(script))
      return context.ask("the script of `sh -c` has signs that not every shell reads alike");
    context.startScript(script);
  };
}
