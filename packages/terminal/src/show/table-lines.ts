import { lineWidth } from "../screen/wrap.ts";
import type { Styles } from "./styles.ts";

const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const GAP = "  ";

/** How many lines of a table begin here; 0 for none. A table is a row, a rule with as many columns, and more rows. */
export function tableLength(lines: readonly string[], from: number): number {
  const [head = "", rule = ""] = lines.slice(from, from + 2);
  if (!head.includes("|") || !rule.includes("-") || !RULE.test(rule)) return 0;
  if (cellsOf(head).length !== cellsOf(rule).length) return 0;
  const end = lines.findIndex((line, at) => at >= from + 2 && !line.includes("|"));
  return (end === -1 ? lines.length : end) - from;
}

/**
 * A table with its columns below each other, a line for each of its own, so that more text only adds lines. Undefined if
 * it does not fit into `width`: then it is better as it was written. `inline` shows what is in a cell.
 */
export function tableLines(
  rows: readonly string[],
  styles: Styles,
  inline: (text: string) => string,
  width: number,
): readonly string[] | undefined {
  const [head = "", rule = "", ...body] = rows;
  const aligned = cellsOf(rule).map((mark) => (/^:?-+:$/.test(mark) ? "right" : "left"));
  const shown = [head, ...body].map((row, at) =>
    aligned.map((_, column) => {
      const text = cellsOf(row)[column] ?? "";
      return at === 0 ? styles.strong(text) : inline(text);
    }),
  );
  const widths = aligned.map((_, column) =>
    Math.max(...shown.map((cells) => lineWidth(cells[column] ?? ""))),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
  if (total > width) return undefined;
  const laidOut = shown.map((cells) =>
    cells
      .map((cell, column) => {
        const space = " ".repeat((widths[column] ?? 0) - lineWidth(cell));
        return aligned[column] === "right" ? space + cell : cell + space;
      })
      .join(GAP)
      .trimEnd(),
  );
  const [first = "", ...others] = laidOut;
  return [first, styles.soft(widths.map((one) => "─".repeat(one)).join(GAP)), ...others];
}

/** A bar with a backslash before it is one of the text. */
function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
