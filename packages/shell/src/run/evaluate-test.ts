import { expandText } from "../expand/expand-word.ts";
import { compareFiles, testFile } from "../files/file-tests.ts";
import type { TestExpression } from "../parse/script.ts";
import { compilePattern } from "../patterns/pattern.ts";
import { compileExtended } from "../patterns/regular-expression.ts";
import { dynamicReference, evaluate, parseReference, readElement } from "../variables/assign.ts";
import { Discard } from "./flow.ts";
import type { Shell } from "./shell.ts";
import type { Task } from "./task.ts";
import { traceLine } from "./trace.ts";

/** `[[ … ]]`: 0 if it holds, 1 if not, 2 if it cannot be said. */
export function* evaluateTest(shell: Shell, node: TestExpression): Task<number> {
  switch (node.kind) {
    case "not": {
      const status = yield* evaluateTest(shell, node.operand);
      return status > 1 ? status : 1 - status;
    }
    case "and":
    case "or": {
      let status = 0;
      for (const operand of node.operands) {
        status = yield* evaluateTest(shell, operand);
        if ((status === 0) === (node.kind === "or")) return status;
      }
      return status;
    }
    case "unary": {
      const operand = yield* expandText(shell, node.operand);
      if (shell.has("xtrace")) traceTerm(shell, `${node.operator} ${shown(operand)}`);
      return testUnary(shell, node.operator, operand) ? 0 : 1;
    }
    case "binary":
      return yield* evaluateBinary(shell, node);
    default:
      return node satisfies never;
  }
}

const PATTERNS: ReadonlySet<string> = new Set(["=", "==", "!="]);
const shown = (text: string): string => (text === "" ? "''" : text);
const traceTerm = (shell: Shell, text: string): void => traceLine(shell, `[[ ${text} ]]`);

function* evaluateBinary(shell: Shell, node: Extract<TestExpression, { kind: "binary" }>): Task<number> {
  const { operator } = node;
  const left = yield* expandText(shell, node.left);
  if (shell.has("xtrace")) {
    const mode = PATTERNS.has(operator) ? "pattern" : "text";
    traceTerm(shell, `${shown(left)} ${operator} ${shown(yield* expandText(shell, node.right, mode))}`);
  }
  const ignoreCase = shell.shopts.has("nocasematch");
  if (operator === "=" || operator === "==" || operator === "!=") {
    const pattern = compilePattern(shell.runtime.patterns, yield* expandText(shell, node.right, "pattern"), {
      extglob: true,
      ignoreCase,
    });
    return pattern.matches(left) === (operator !== "!=") ? 0 : 1;
  }
  if (operator === "=~") {
    const source = yield* expandText(shell, node.right, "regex");
    const regex = compileExtended(source, ignoreCase ? "any-case" : "exact");
    if (regex === undefined) return 2;
    const match = regex.exec(left);
    shell.variables.setList("BASH_REMATCH", match === null ? [] : [...match].map((each) => each ?? ""));
    return match === null ? 1 : 0;
  }
  const right = yield* expandText(shell, node.right);
  try {
    return testBinary(shell, operator, left, right, "expressions") ? 0 : 1;
  } catch (error) {
    if (error instanceof Discard) return 1;
    throw error;
  }
}

/** The operators with one operand that `test` and `[[` share. */
export function testUnary(shell: Shell, operator: string, operand: string): boolean {
  switch (operator) {
    case "-n":
      return operand !== "";
    case "-z":
      return operand === "";
    case "-v":
      return isSet(shell, operand);
    case "-R":
      return (
        shell.variables.find(operand)?.nameref === true && shell.variables.find(operand)?.text !== undefined
      );
    case "-o":
      return shell.has(operand);
    case "-t":
      return shell.channel(Number(operand))?.isTerminal === true;
    default:
      return testFile(shell, operator, operand);
  }
}

function isSet(shell: Shell, text: string): boolean {
  if (/^\d+$/.test(text)) return text === "0" || shell.positional[Number(text) - 1] !== undefined;
  const reference = dynamicReference(shell, text);
  if (reference === undefined) return false;
  const target = shell.variables.resolve(reference.name) ?? reference.name;
  const variable = shell.variables.find(parseReference(target)?.name ?? target);
  if (reference.subscript === "@" || reference.subscript === "*") {
    if (variable?.shape === "associative") return variable.map?.has(reference.subscript) === true;
    return (variable?.values().length ?? 0) > 0;
  }
  if (reference.subscript !== undefined)
    return readElement(shell, reference.name, reference.subscript) !== undefined;
  return variable?.scalar() !== undefined;
}

const NUMBERS: Readonly<Record<string, (a: number | bigint, b: number | bigint) => boolean>> = {
  "-eq": (a, b) => BigInt(a) === BigInt(b),
  "-ne": (a, b) => BigInt(a) !== BigInt(b),
  "-lt": (a, b) => a < b,
  "-le": (a, b) => a <= b,
  "-gt": (a, b) => a > b,
  "-ge": (a, b) => a >= b,
};

export const isNumeric = (operator: string): boolean => operator in NUMBERS;

/** The operators with two operands; in `test`, numbers are only numbers. */
export function testBinary(
  shell: Shell,
  operator: string,
  left: string,
  right: string,
  numbers: "expressions" | "digits",
): boolean {
  const compare = NUMBERS[operator];
  if (compare !== undefined) {
    if (numbers === "expressions") return compare(evaluate(shell, left), evaluate(shell, right));
    return compare(BigInt(left.trim().replace(/^\+/, "")), BigInt(right.trim().replace(/^\+/, "")));
  }
  switch (operator) {
    case "=":
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    default:
      return compareFiles(shell, operator, left, right);
  }
}
