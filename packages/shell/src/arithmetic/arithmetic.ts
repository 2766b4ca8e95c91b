import { ArithmeticProblem, parseArithmetic, type Expression, type Place } from "./parse-arithmetic.ts";
import { compute, invert, isTrue, negate, type Value } from "./value.ts";

/** The variables that an expression reads and sets. */
export interface ArithmeticVariables {
  /** The text of a variable or of an element; undefined if it is not set. */
  get(place: Place): string | undefined;
  set(place: Place, value: string): void;
}

/** A variable may name another, and so on; not deeper than this. */
const DEEPEST = 1024;

/** Keeps parsed expressions: loops evaluate the same texts again and again. */
export interface Arithmetic {
  /** Throws `ArithmeticProblem` with bash's words. */
  evaluate(text: string, variables: ArithmeticVariables): Value;
}

/** More than this many texts are not kept. */
const MOST_KEPT = 2_000;

export function createArithmetic(): Arithmetic {
  const kept = new Map<string, Expression>();
  const parse = (text: string): Expression => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const expression = parseArithmetic(text);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(text, expression);
    return expression;
  };

  const evaluateText = (text: string, variables: ArithmeticVariables, depth: number): Value => {
    if (depth > DEEPEST) throw new ArithmeticProblem(text, "expression recursion level exceeded", text);
    return run(parse(text), variables, depth);
  };

  const read = (place: Place, variables: ArithmeticVariables, depth: number): Value => {
    const text = variables.get(place);
    if (text === undefined || text === "") return 0;
    if (text.length < 16 && isDecimal(text)) return Number(text);
    return evaluateText(text, variables, depth + 1);
  };

  const write = (place: Place, value: Value, variables: ArithmeticVariables): Value => {
    variables.set(place, String(value));
    return value;
  };

  const apply = (
    node: { readonly source: string; readonly rest: string },
    operator: string,
    a: Value,
    b: Value,
  ): Value => {
    if ((operator === "/" || operator === "%") && !isTrue(b)) {
      throw new ArithmeticProblem(node.source, "division by 0", node.rest);
    }
    if (operator === "**" && b < 0)
      throw new ArithmeticProblem(node.source, "exponent less than 0", node.rest);
    return compute(operator, a, b);
  };

  const run = (node: Expression, variables: ArithmeticVariables, depth: number): Value => {
    switch (node.kind) {
      case "number":
        return node.value;
      case "place":
        return read(node.place, variables, depth);
      case "binary":
        return apply(
          node,
          node.operator,
          run(node.left, variables, depth),
          run(node.right, variables, depth),
        );
      case "and":
        return isTrue(run(node.left, variables, depth)) && isTrue(run(node.right, variables, depth)) ? 1 : 0;
      case "or":
        return isTrue(run(node.left, variables, depth)) || isTrue(run(node.right, variables, depth)) ? 1 : 0;
      case "comma":
        run(node.left, variables, depth);
        return run(node.right, variables, depth);
      case "ternary":
        return run(isTrue(run(node.test, variables, depth)) ? node.yes : node.no, variables, depth);
      case "negate":
        return negate(run(node.operand, variables, depth));
      case "invert":
        return invert(run(node.operand, variables, depth));
      case "not":
        return isTrue(run(node.operand, variables, depth)) ? 0 : 1;
      case "plus":
        return run(node.operand, variables, depth);
      case "assign": {
        const right = run(node.value, variables, depth);
        const value =
          node.operator === ""
            ? right
            : apply(node, node.operator, read(node.place, variables, depth), right);
        return write(node.place, value, variables);
      }
      case "step": {
        const before = read(node.place, variables, depth);
        const after = write(node.place, compute("+", before, node.by), variables);
        return node.result === "after" ? after : before;
      }
      default:
        return node satisfies never;
    }
  };

  return { evaluate: (text, variables) => evaluateText(text, variables, 0) };
}

function isDecimal(text: string): boolean {
  const first = text.charCodeAt(0);
  const from = first === 45 ? 1 : 0;
  if (text.length === from) return false;
  if (text.charCodeAt(from) === 48 && text.length > from + 1) return false;
  for (let i = from; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
