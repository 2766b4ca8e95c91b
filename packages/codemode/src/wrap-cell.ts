/**
 * A cell's code is the body of an async function. Only this file says how it becomes a script: the checker,
 * the stripper and the sandbox all work on this text, so they agree on what is allowed and where it is. Lines
 * are those of the code; only the first line's columns move.
 */
const HEAD = '"use strict";(async () => {';
const TAIL = "\n})";

/** The name of the wrapped text in stack traces. */
export const CELL_FILE = "cell.ts";

/** A script whose value is the cell's function. */
export function wrapCell(code: string): string {
  return `${HEAD}${code}${TAIL}`;
}

/** The code inside a wrapped text of the same length. */
export function unwrapCell(text: string): string {
  return text.slice(HEAD.length, text.length - TAIL.length);
}

/** The 1-based place in the code of an offset into the wrapped text; the nearest one for the wrapper's own. */
export function placeInCell(
  code: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const before = code.slice(0, Math.max(offset - HEAD.length, 0));
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}
