import {
  type Assignment,
  type Command,
  type CommandNode,
  type CompoundList,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { type Argument, isKnown } from "./words/argument.ts";
import type { WordEvaluator } from "./words/evaluate-word.ts";
import { findArithmeticEffect } from "./judge-arithmetic.ts";
import type { CommandJudge } from "./judge-command.ts";
import type { PathJudge } from "./paths/judge-path.ts";
import { mayEnd, watchFlow } from "./endless-output.ts";
import { judgeTestExpression } from "./judge-test-expression.ts";
import type { Judgement } from "./judgement.ts";
import { MAX_DIRECTORIES } from "./limits.ts";
import { always, merge, mergeOutcome, type Outcome, type Scope, type Value, withVariable } from "./scope.ts";
import { mayBeGiven, mayBeSet } from "./words/variables.ts";

export interface ScriptJudge {
  /** Judges every command that a script may run, from this scope on. */
  readonly judge: (script: ParsedScript, scope: Scope) => Outcome;
}

export function createScriptJudge(deps: {
  readonly judgement: Judgement;
  readonly words: WordEvaluator;
  readonly paths: PathJudge;
  readonly commands: CommandJudge;
}): ScriptJudge {
  const { judgement, words, commands } = deps;

  const judgeList = (statements: readonly Statement[], scope: Scope): Outcome => {
    let outcome = always(scope);
    for (const { command, background } of statements) {
      const before = mergeOutcome(outcome);
      if (before.directories.length > MAX_DIRECTORIES)
        judgement.ask("it is not known in which directory it runs");
      const after =
        command.type === "AndOr"
          ? judgeChain(command.commands, command.operators, before)
          : judgePipeline(command, before);
      outcome = background === true ? always(before) : after;
    }
    return outcome;
  };

  const judgeChain = (
    nodes: readonly PipelineNode[],
    operators: readonly string[],
    scope: Scope,
  ): Outcome => {
    let outcome = always(scope);
    for (const [index, node] of nodes.entries()) {
      const operator = operators[index - 1];
      if (operator === undefined) outcome = judgePipeline(node, scope);
      else if (operator === "&&") {
        const next = judgePipeline(node, outcome.ok);
        outcome = { ok: next.ok, failed: merge(outcome.failed, next.failed) };
      } else {
        const next = judgePipeline(node, outcome.failed);
        outcome = { ok: merge(outcome.ok, next.ok), failed: next.failed };
      }
    }
    return outcome;
  };

  const judgePipeline = (node: PipelineNode, scope: Scope): Outcome => {
    const flow = watchFlow(judgement.effects);
    const judgeStage = (command: CommandNode): Outcome => {
      flow.enter();
      const outcome = judgeNode(command, scope);
      flow.leave(command.type);
      return outcome;
    };
    if (node.type !== "Pipeline") return judgeStage(node);
    if (node.commands.length === 1 && node.commands[0] !== undefined) {
      const { ok, failed } = judgeStage(node.commands[0]);
      // `!` swaps success and failure and `time` keeps them, so each result may be either.
      const both = merge(ok, failed);
      return { ok: both, failed: both };
    }
    for (const command of node.commands) judgeStage(command);
    return always(scope);
  };

  const judgeBody = (list: CompoundList, scope: Scope): Outcome => judgeList(list.commands, scope);

  const judgeNode = (node: CommandNode, scope: Scope): Outcome => {
    switch (node.type) {
      case "Command":
        return judgeSimple(node, scope);
      case "Redirected":
        for (const redirect of node.redirects) judgeRedirect(deps, redirect, scope);
        return orNotAtAll(judgeNode(node.command, scope), scope);
      case "Subshell":
        judgeBody(node.body, scope);
        return always(scope);
      case "BraceGroup":
        return judgeBody(node.body, scope);
      case "If": {
        const clause = judgeBody(node.clause, scope);
        let done = mergeOutcome(judgeBody(node.then, clause.ok));
        let rest = clause.failed;
        for (const elif of node.elif) {
          const next = judgeBody(elif.clause, rest);
          done = merge(done, mergeOutcome(judgeBody(elif.then, next.ok)));
          rest = next.failed;
        }
        return always(merge(done, node.else === undefined ? rest : mergeOutcome(judgeBody(node.else, rest))));
      }
      case "For": {
        const name = node.name.value;
        if (!mayBeSet(name)) judgement.ask(`\`for ${name}\` sets what the shell or its commands act on`);
        if (node.wordlist === undefined) judgement.ask("`for` without a list");
        const values = (node.wordlist ?? []).flatMap((word) => words.fields(word, scope));
        return judgeLoop(
          [node.body],
          scope,
          (inside) => {
            for (const value of values) judgeBody(node.body, withVariable(inside, name, toValue(value)));
            return inside;
          },
          name,
        );
      }
      case "While":
        if (!mayEnd(node))
          judgement.effects.endless.push({ why: `\`${node.kind}\` may go on for ever`, comesIn: "bytes" });
        return judgeLoop([node.clause, node.body], scope, (inside) => {
          const clause = judgeBody(node.clause, inside);
          judgeBody(node.body, clause.ok);
          return mergeOutcome(clause);
        });
      case "Case": {
        words.single(node.word, scope);
        let after = scope;
        for (const item of node.items) {
          if (item.terminator === ";&" || item.terminator === ";;&")
            judgement.ask(`\`${item.terminator}\` in \`case\` is not followed`);
          for (const pattern of item.pattern) words.single(pattern, scope);
          after = merge(after, mergeOutcome(judgeBody(item.body, scope)));
        }
        return always(after);
      }
      case "TestCommand":
        judgeTestExpression(deps, node.expression, scope);
        return always(scope);
      case "ArithmeticCommand": {
        const effect = findArithmeticEffect(node.expression, scope);
        if (effect !== undefined) judgement.ask(`\`((${node.body}))\` is ${effect}`);
        return always(scope);
      }
      case "Function":
        judgement.ask(`the function \`${node.name.value}\` may take a command's place`);
        return always(scope);
      default:
        judgement.ask(
          `\`${node.type === "ArithmeticFor" ? "for ((" : node.type.toLowerCase()}\` is not followed`,
        );
        return always(scope);
    }
  };

  /** Any turn may be the first or the last, so what a loop sets is not known in it, nor behind it. */
  const judgeLoop = (
    bodies: readonly CompoundList[],
    scope: Scope,
    run: (inside: Scope) => Scope,
    ...names: readonly string[]
  ): Outcome => {
    const changes = findChanges(bodies);
    if (changes.movesAway) judgement.ask("`cd` in a loop is not followed");
    const inside = [...names, ...changes.names].reduce(
      (before, name) =>
        withVariable(
          before,
          name,
          changes.integers.has(name) && isInteger(scope.variables.get(name))
            ? { kind: "integer" }
            : { kind: "unknown" },
        ),
      scope,
    );
    run(inside);
    return always(inside);
  };

  const assign = (assignment: Assignment, scope: Scope): Value => {
    const { name, value, index, append, text } = assignment;
    if (index !== undefined || value.type === "ArrayValue" || append === true) {
      judgement.ask(`\`${text}\` is an assignment that is not followed`);
      return { kind: "unknown" };
    }
    const result = toValue(words.single(value, scope));
    const isCalculated = value.parts?.length === 1 && value.parts[0]?.type === "ArithmeticExpansion";
    return isCalculated && name !== "" ? { kind: "integer" } : result;
  };

  const judgeSimple = (node: Command, scope: Scope): Outcome => {
    let after = scope;
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue;
      const value = assign(part, after);
      const isFine =
        node.name === undefined
          ? mayBeSet(part.name) || mayBeGiven(part.name, value.kind === "text" ? value.text : undefined)
          : mayBeGiven(part.name, value.kind === "text" ? value.text : undefined);
      if (!isFine) judgement.ask(`\`${part.name}\` is set, which the shell or its commands may act on`);
      if (node.name === undefined) after = withVariable(after, part.name, value);
    }
    for (const redirect of node.redirects) judgeRedirect(deps, redirect, scope);
    if (node.name === undefined)
      return node.redirects.length === 0 ? always(after) : orNotAtAll(always(after), scope);
    if (!isWrittenOut(node.name.parts ?? [])) {
      judgement.ask(`the command \`${node.name.text}\` is not written out`);
      return always(scope);
    }
    const given = node.suffix.flatMap((part): readonly Argument[] => {
      if (part.type === "Word") return words.fields(part, scope);
      if (part.type !== "Assignment") return [];
      judgement.ask(`\`${part.text}\` is an assignment that is not followed`);
      return [];
    });
    return commands.judge([...words.fields(node.name, scope), ...given], scope);
  };

  return { judge: (script, scope) => judgeList(script.commands, scope) };
}

function isWrittenOut(
  parts: readonly {
    readonly type: string;
    readonly parts?: readonly { readonly type: string }[] | undefined;
  }[],
): boolean {
  return parts.every(
    ({ type, parts: inner }) =>
      /^(?:Literal|SingleQuoted|AnsiCQuoted)$/.test(type) ||
      (type === "DoubleQuoted" && (inner ?? []).every((child) => child.type === "Literal")),
  );
}

/** A redirection that fails keeps its command from running. */
function orNotAtAll({ ok, failed }: Outcome, before: Scope): Outcome {
  return { ok, failed: merge(failed, before) };
}

function toValue(argument: Argument): Value {
  return isKnown(argument) ? { kind: "text", text: argument.text } : { kind: "unknown" };
}

function isInteger(value: Value | undefined): boolean {
  return value?.kind === "integer" || (value?.kind === "text" && /^\d+$/.test(value.text));
}

interface Changes {
  readonly names: ReadonlySet<string>;
  /** The variables among them that are only ever set to numbers. */
  readonly integers: ReadonlySet<string>;
  readonly movesAway: boolean;
}

/** What a loop's body may set, wherever in it. */
function findChanges(bodies: readonly CompoundList[]): Changes {
  const names = new Set<string>();
  const others = new Set<string>();
  let movesAway = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Assignment") {
      names.add(node.name);
      const isNumber =
        node.value.type === "Word" &&
        (/^\d+$/.test(node.value.text) ||
          (node.value.parts?.length === 1 && node.value.parts[0]?.type === "ArithmeticExpansion"));
      if (!isNumber) others.add(node.name);
    }
    if (node.type === "For" || node.type === "Select") {
      names.add(node.name.value);
      others.add(node.name.value);
    }
    if (node.type === "Command" && node.name !== undefined) {
      if (/^(?:cd|command|builtin|exec)$/.test(node.name.value))
        movesAway ||=
          node.name.value === "cd" || node.args.some((word) => word.type === "Word" && word.value === "cd");
      if (/^(?:read|unset)$/.test(node.name.value)) {
        for (const word of node.args) {
          if (word.type !== "Word") continue;
          names.add(word.value);
          others.add(word.value);
        }
      }
    }
    forEachChild(node, visit);
  };
  bodies.forEach(visit);
  return { names, integers: new Set([...names].filter((name) => !others.has(name))), movesAway };
}

/** Judges where a command's input comes from and its output goes. */
function judgeRedirect(
  deps: { readonly judgement: Judgement; readonly words: WordEvaluator; readonly paths: PathJudge },
  redirect: Redirection,
  scope: Scope,
): void {
  const { judgement, words, paths } = deps;
  if (redirect.descriptor?.type === "FileDescriptorVariable")
    return judgement.ask("a redirection sets a variable");
  if (redirect.type === "HereDoc") {
    if (redirect.delimiter === undefined || redirect.closing === undefined)
      return judgement.ask("a here-document does not end");
    if (!redirect.delimiter.quoted) words.parts(redirect.body.parts ?? [], scope);
    return;
  }
  const { operator, target } = redirect;
  if (target === undefined) return judgement.ask("a redirection leads nowhere");
  if (redirect.type === "HereString") return void words.single(target, scope);
  const fields = words.fields(target, scope);
  const [where] = fields;
  if (where === undefined || fields.length > 1)
    return judgement.ask(`\`${operator} ${target.text}\` leads to more than one place`);
  if ((operator === ">&" || operator === "<&") && isKnown(where) && /^(?:\d+-?|-)$/.test(where.text)) return;
  paths.use(operator, where, operator === "<" || operator === "<&" ? "read" : "write", scope.directories);
}
