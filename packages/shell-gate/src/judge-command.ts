import { type Argument, isKnown } from "./words/argument.ts";
import type { CommandContext, CommandTable } from "./command-spec.ts";
import { judgeBuiltin } from "./judge-builtin.ts";
import type { PathJudge } from "./paths/judge-path.ts";
import type { Judgement } from "./judgement.ts";
import { judgeOperands, readArguments } from "./words/read-arguments.ts";
import { always, type Outcome, type Scope } from "./scope.ts";

/** Where a system keeps its own commands; a path to anywhere else names something else of the same name. */
const SYSTEM_COMMAND = /^\/(?:usr\/)?bin\/([\w[.-]+)$/;

/** `%099999999d` and the like, which printf, date, stat, find and others all take. */
const WIDE_FORMAT = /%[^%\sA-Za-z]{0,8}\d{7}/;

/** Builtins whose effect is followed only where they stand by themselves. */
const CHANGES_SHELL = new Set(["cd", "read", "unset", "export", "set"]);

export interface CommandJudge {
  /** Judges one command with its words, the name first. */
  readonly judge: (words: readonly Argument[], scope: Scope) => Outcome;
}

export function createCommandJudge(deps: {
  readonly judgement: Judgement;
  readonly paths: PathJudge;
  readonly table: CommandTable;
  readonly isAllowed: (name: string) => boolean;
  /** Whole command lines the configuration allows, word by word. */
  readonly allowedLines: readonly (readonly string[])[];
  readonly needsExtraValidation: (name: string) => boolean;
  readonly judgeSource: (source: string, scope: Scope) => void;
}): CommandJudge {
  const { judgement, paths, table } = deps;

  const judge: CommandJudge["judge"] = (words, scope) => {
    const [first, ...rest] = words;
    if (first === undefined || !judgement.countCommand()) return always(scope);
    if (!isKnown(first) || first.typed === "expanded") {
      judgement.ask(
        first.kind === "known"
          ? `the command \`${first.text}\` is not written out`
          : "which command runs is not known before it does",
      );
      return always(scope);
    }
    if (isAllowedLine(words)) return always(scope);
    const name = SYSTEM_COMMAND.exec(first.text)?.[1] ?? first.text;
    if (name.includes("/")) {
      judgement.ask(`\`${name}\` is a program by its path, not a command of the system`);
      return always(scope);
    }
    const rule = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!deps.isAllowed(name) || rule === undefined) {
      const why = deps.isAllowed(name)
        ? "is listed, but it is not known what its arguments do"
        : "is not among the allowed commands";
      judgement.ask(`\`${name}\` ${why}`);
      return always(scope);
    }
    const extraValidation = deps.needsExtraValidation(name);
    if (extraValidation && rest.some((word) => word.kind !== "known" || word.typed === "expanded"))
      judgement.ask(`\`${name}\` needs its arguments written out, without patterns or variables`);
    const context: CommandContext = {
      name,
      scope,
      extraValidation,
      ask: judgement.ask,
      path: (argument, use) => paths.use(name, argument, use, scope.directories),
      reshapes: (at) => {
        for (const { path } of at)
          judgement.effects.reshaped.push({ path, by: name, at: judgement.effects.commands });
      },
      endless: (why, comesIn = "bytes") => void judgement.effects.endless.push({ why, comesIn }),
      limits: (what) => void (judgement.effects.limits = what),
      start: (command) => {
        const [started] = command;
        if (isKnown(started) && CHANGES_SHELL.has(started.text))
          judgement.ask(`\`${name} ${started.text}\` may change the shell`);
        judge(command, scope);
      },
      // Another shell has none of this one's variables.
      startScript: (source) => deps.judgeSource(source, { ...scope, variables: new Map() }),
    };
    if (rest.some((word) => isKnown(word) && WIDE_FORMAT.test(word.text)))
      context.endless(`\`${name}\` is given a format that fills up with very many characters`);
    if (typeof rule === "function") rule(context, rest);
    else {
      const read = readArguments(context, rule, rest);
      judgeOperands(context, rule, read);
      rule.also?.(context, read);
    }
    return judgeBuiltin(context, rest);
  };

  const isAllowedLine = (words: readonly Argument[]): boolean =>
    deps.allowedLines.some(
      (line) => line.length === words.length && line.every((text, index) => isKnown(words[index], text)),
    );
  return { judge };
}
