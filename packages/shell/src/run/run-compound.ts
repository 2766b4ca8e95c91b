import { isTrue } from "../arithmetic/value.ts";
import { expandArguments, expandArithmetic, expandText } from "../expand/expand-word.ts";
import type { Argument, List, Node } from "../parse/script.ts";
import type { Word } from "../parse/word.ts";
import { compilePattern } from "../patterns/pattern.ts";
import { readLine } from "../builtins/read-line.ts";
import { AssignProblem, assignOrDiscard, assignText } from "../variables/assign.ts";
import { Discard } from "./flow.ts";
import { evaluateTest } from "./evaluate-test.ts";
import type { Shell } from "./shell.ts";
import type { Task } from "./task.ts";
import { traceLine } from "./trace.ts";

/** The words of a list as they are written. */
const shownWords = (words: readonly Argument[] | undefined): string =>
  words?.map((word) => word.plain.text).join(" ") ?? '"$@"';

type Compound = Exclude<
  Node,
  { kind: "simple" | "pipeline" | "and-or" | "redirected" | "subshell" | "function" | "coproc" | "group" }
>;

export function createCompoundRunner(): { runCompound(shell: Shell, node: Compound): Task<number> } {
  function* runCompound(shell: Shell, node: Compound): Task<number> {
    switch (node.kind) {
      case "if":
        return yield* runIf(shell, node);
      case "while":
        return yield* runWhile(shell, node);
      case "for":
        return yield* runFor(shell, node);
      case "arithmetic-for":
        return yield* runArithmeticFor(shell, node);
      case "select":
        return yield* runSelect(shell, node);
      case "case":
        return yield* runCase(shell, node);
      case "test":
        return yield* evaluateTest(shell, node.expression);
      case "arithmetic":
        if (shell.has("xtrace")) traceLine(shell, `(( ${node.text.text} ))`);
        try {
          return isTrue(yield* expandArithmetic(shell, node.text)) ? 0 : 1;
        } catch (error) {
          if (error instanceof Discard) return 1;
          throw error;
        }
      default:
        return node satisfies never;
    }
  }

  function* runTestList(shell: Shell, list: List): Task<number> {
    shell.forgiving += 1;
    try {
      return yield* shell.engine.runList(shell, list);
    } finally {
      shell.forgiving -= 1;
    }
  }

  function* runIf(shell: Shell, node: Extract<Node, { kind: "if" }>): Task<number> {
    for (const { test, body } of node.clauses) {
      const status = yield* runTestList(shell, test);
      if (shell.flow !== undefined) return status;
      if (status === 0) return yield* shell.engine.runList(shell, body);
    }
    return node.otherwise === undefined ? 0 : yield* shell.engine.runList(shell, node.otherwise);
  }

  /** After a round of a loop: true if the loop ends here. */
  function leaves(shell: Shell): boolean {
    const { flow } = shell;
    if (flow === undefined) return false;
    if (flow.kind === "return") return true;
    if (flow.levels > 1) {
      flow.levels -= 1;
      return true;
    }
    shell.flow = undefined;
    return flow.kind === "break";
  }

  function* runWhile(shell: Shell, node: Extract<Node, { kind: "while" }>): Task<number> {
    let status = 0;
    shell.loopDepth += 1;
    try {
      for (;;) {
        const test = yield* runTestList(shell, node.test);
        if (shell.flow !== undefined) {
          if (leaves(shell)) return shell.flow === undefined ? 0 : status;
          continue;
        }
        if ((test === 0) === node.until) return status;
        status = yield* shell.engine.runList(shell, node.body);
        if (leaves(shell)) return status;
      }
    } finally {
      shell.loopDepth -= 1;
    }
  }

  function* runFor(shell: Shell, node: Extract<Node, { kind: "for" }>): Task<number> {
    shell.line = node.line;
    const words = node.words === undefined ? shell.positional : yield* expandArguments(shell, node.words);
    let status = 0;
    if (!/^[A-Za-z_]\w*$/.test(node.name)) {
      shell.complain(`\`${node.name}': not a valid identifier`);
      return 1;
    }
    shell.loopDepth += 1;
    try {
      for (const word of words) {
        if (shell.traps.size > 0) yield* shell.engine.runDebugTrap(shell, node.line);
        if (shell.has("xtrace")) traceLine(shell, `for ${node.name} in ${shownWords(node.words)}`);
        try {
          const variable = shell.variables.find(node.name);
          if (variable?.nameref === true) variable.text = word;
          else assignText(shell, node.name, undefined, word, "replace");
        } catch (error) {
          if (!(error instanceof AssignProblem)) throw error;
          shell.complain(error.message);
          return 1;
        }
        status = yield* shell.engine.runList(shell, node.body);
        if (leaves(shell)) return status;
      }
      return status;
    } finally {
      shell.loopDepth -= 1;
    }
  }

  function* runArithmeticFor(shell: Shell, node: Extract<Node, { kind: "arithmetic-for" }>): Task<number> {
    let status = 0;
    shell.line = node.line;
    shell.loopDepth += 1;
    try {
      const debug = (): Task<void> => {
        shell.line = node.line;
        return shell.engine.runDebugTrap(shell, node.line);
      };
      const expression = (text: Word): Task<number | bigint> => {
        if (shell.has("xtrace")) traceLine(shell, `(( ${text.text} ))`);
        return expandArithmetic(shell, text);
      };
      yield* debug();
      if (node.start.text !== "") yield* expression(node.start);
      for (;;) {
        yield* debug();
        if (node.test.text !== "" && !isTrue(yield* expression(node.test))) return status;
        status = yield* shell.engine.runList(shell, node.body);
        if (leaves(shell)) return status;
        yield* debug();
        if (node.step.text !== "") yield* expression(node.step);
      }
    } catch (error) {
      if (error instanceof Discard) return 1;
      throw error;
    } finally {
      shell.loopDepth -= 1;
    }
  }

  function* runSelect(shell: Shell, node: Extract<Node, { kind: "select" }>): Task<number> {
    const words = node.words === undefined ? shell.positional : yield* expandArguments(shell, node.words);
    if (words.length === 0) return 0;
    let status = 0;
    let shows = true;
    shell.loopDepth += 1;
    try {
      for (;;) {
        if (shows) for (const [i, word] of words.entries()) shell.writeError(`${String(i + 1)}) ${word}\n`);
        shell.writeError(shell.variables.text("PS3") ?? "#? ");
        const line = yield* readLine(shell, 0);
        if (line === undefined) {
          shell.writeError("\n");
          return 1;
        }
        assignOrDiscard(shell, "REPLY", undefined, line);
        shows = line === "";
        if (shows) continue;
        assignOrDiscard(shell, node.name, undefined, words[Number(line) - 1] ?? "");
        status = yield* shell.engine.runList(shell, node.body);
        if (leaves(shell)) return status;
      }
    } finally {
      shell.loopDepth -= 1;
    }
  }

  function* runCase(shell: Shell, node: Extract<Node, { kind: "case" }>): Task<number> {
    shell.line = node.line;
    if (shell.traps.size > 0) yield* shell.engine.runDebugTrap(shell, node.line);
    if (shell.has("xtrace")) traceLine(shell, `case ${node.word.text} in`);
    const word = yield* expandText(shell, node.word);
    const options = { extglob: true, ignoreCase: shell.shopts.has("nocasematch") };
    let status = 0;
    let through = false;
    for (const { patterns, body, next } of node.items) {
      let matches = through;
      for (const pattern of patterns) {
        if (matches) break;
        matches = compilePattern(
          shell.runtime.patterns,
          yield* expandText(shell, pattern, "pattern"),
          options,
        ).matches(word);
      }
      if (!matches) continue;
      status = yield* shell.engine.runList(shell, body);
      if (shell.flow !== undefined || next === ";;") return status;
      through = next === ";&";
    }
    return status;
  }

  return { runCompound };
}
