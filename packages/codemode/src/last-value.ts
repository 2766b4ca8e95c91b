import { type ExpressionStatement, type FunctionExpression, parse, type Program } from "acorn";

/** The largest value, as JSON, that is given back although nobody wrote `return`. */
const MOST_CHARS = 4_000_000;
/** A value that cannot be a result counts as none: the program has done its work, and must not fail for its last line. */
const ONLY_RESULTS = `((v) => { try { const s = JSON.stringify(v); return s === undefined || s.length > ${MOST_CHARS} ? undefined : v; } catch { return undefined; } })`;

/**
 * Makes a program give back what its last line stands for, as people and models expect of one: a trailing expression is
 * returned, `main();` is waited for, and a program that is a function alone is called. No line moves. Code that returns
 * something there already, or that does not parse, stays as it is.
 */
export function withLastValue(code: string): string {
  const last = lastExpression(code);
  if (last === undefined) return code;
  const { start, end, expression, isAlone } = last;
  const close = code[end - 1] === ";" ? end - 1 : end;
  const value = code.slice(start, close);
  const called = isCallable(expression) && isAlone ? `(${value})()` : value;
  return `${code.slice(0, start)}return ${ONLY_RESULTS}(await (${called}))${code.slice(close)}`;
}

/** Where a program calls a tool that never runs; line and column are counted from 1. */
export interface LostCall {
  readonly line: number;
  readonly column: number;
}

/**
 * Calls of tools that certainly never run: statements of the program itself that nothing awaits, with nothing behind
 * them that waits. Code that does not parse has none.
 */
export function findLostCalls(code: string): readonly LostCall[] {
  const body = statements(code)?.filter(
    ({ type }) => type !== "FunctionDeclaration" && type !== "EmptyStatement",
  );
  if (body === undefined) return [];
  // What is returned may be a promise, and the last expression is awaited.
  const waits = ({ type, start, end }: (typeof body)[number], at: number): boolean =>
    /\bawait\b|\breturn\b[^;]*\(/.test(code.slice(start, end)) ||
    (type === "ExpressionStatement" && at === body.length - 1);
  return body.slice(body.findLastIndex(waits) + 1).flatMap((statement) => {
    if (statement.type !== "ExpressionStatement" || !isToolCall(statement.expression)) return [];
    const before = code.slice(0, statement.start);
    return [{ line: before.split("\n").length, column: statement.start - before.lastIndexOf("\n") }];
  });
}

/** `tools.a.b(…)` */
function isToolCall(expression: ExpressionStatement["expression"]): boolean {
  if (expression.type !== "CallExpression") return false;
  let callee = expression.callee;
  if (callee.type !== "MemberExpression") return false;
  while (callee.type === "MemberExpression") callee = callee.object;
  return callee.type === "Identifier" && callee.name === "tools";
}

/** The expression statement that ends a program; functions may be declared behind it. */
function lastExpression(code: string): (ExpressionStatement & { readonly isAlone: boolean }) | undefined {
  const body = statements(code)?.filter(
    ({ type }) => type !== "FunctionDeclaration" && type !== "EmptyStatement",
  );
  const last = body?.at(-1);
  if (last?.type !== "ExpressionStatement" || "directive" in last) return undefined;
  return { ...last, isAlone: body?.length === 1 };
}

function statements(code: string): Program["body"] | undefined {
  try {
    return parse(code, {
      ecmaVersion: "latest",
      sourceType: "script",
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    }).body;
  } catch {
    // It may also nest too deeply. Its errors are reported where it runs.
    return undefined;
  }
}

function isCallable(expression: ExpressionStatement["expression"]): boolean {
  const isFunction =
    expression.type === "ArrowFunctionExpression" || expression.type === "FunctionExpression";
  return isFunction && (expression as FunctionExpression).params.length === 0;
}
