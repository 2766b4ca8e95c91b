import type { ArithmeticExpression } from "unbash";
import type { Scope } from "./scope.ts";

const NUMBER = /^(?:\d+|0[xX][\da-fA-F]+)$/;
const SAFE_OPERATORS = new Set("+ - * / % ** << >> < > <= >= == != & ^ | && || ! ~ ,".split(" "));

/**
 * Why an expression is more than a calculation; nothing where it is one. A name in it is itself evaluated, and an
 * index in that runs commands, so only names that hold numbers pass.
 */
export function findArithmeticEffect(
  expression: ArithmeticExpression | undefined,
  scope: Scope,
): string | undefined {
  if (expression === undefined) return "an empty calculation";
  switch (expression.type) {
    case "ArithmeticBinary":
      if (!SAFE_OPERATORS.has(expression.operator)) return `a calculation with \`${expression.operator}\``;
      return findArithmeticEffect(expression.left, scope) ?? findArithmeticEffect(expression.right, scope);
    case "ArithmeticUnary":
      if (!/^[-+!~]$/.test(expression.operator)) return `a calculation with \`${expression.operator}\``;
      return findArithmeticEffect(expression.operand, scope);
    case "ArithmeticTernary":
      return (
        findArithmeticEffect(expression.test, scope) ??
        findArithmeticEffect(expression.consequent, scope) ??
        findArithmeticEffect(expression.alternate, scope)
      );
    case "ArithmeticGroup":
      return findArithmeticEffect(expression.expression, scope);
    case "ArithmeticWord":
      return isNumber(expression.value, scope) ? undefined : `a calculation with \`${expression.value}\``;
    default:
      return `a calculation with \`${expression.text}\``;
  }
}

function isNumber(word: string, scope: Scope): boolean {
  if (NUMBER.test(word) || /^\$[?#$]$/.test(word)) return true;
  const name = /^(?:\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(word);
  const value = scope.variables.get(name?.[1] ?? name?.[2] ?? "");
  return value?.kind === "integer" || (value?.kind === "text" && NUMBER.test(value.text));
}
