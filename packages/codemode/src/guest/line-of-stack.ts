import { CELL_FILE } from "../wrap-cell.ts";

const FRAME = new RegExp(`\\b${CELL_FILE.replaceAll(".", "\\.")}:(\\d{1,9})`);

/** The innermost line of the cell's code in a stack trace, which may be any text at all. */
export function lineOfStack(code: string, stack: string): { readonly line?: number } {
  const line = Number(FRAME.exec(stack)?.[1] ?? 0);
  if (line === 0) return {};
  return { line: Math.min(line, code.split("\n").length) };
}
