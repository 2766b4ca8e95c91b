import { visibleWidth } from "@earendil-works/pi-tui";

/** What was drawn last, and where the terminal has its cursor now that it may have another size. */
export interface WindowState {
  /** As drawn: one row each, then. */
  readonly lines: readonly string[];
  /** The line that the cursor is on. */
  readonly cursorLine: number;
  /** The cursor's row in the window, from 1. */
  readonly cursorRow: number;
  readonly columns: number;
}

export interface WindowTop {
  /** The first line that is in the window from its beginning. */
  readonly line: number;
  /** The row it is on, from 1. */
  readonly row: number;
}

/**
 * Finds the line at the top of a window. A line that is too long for it now takes several rows, as terminals
 * that wrap anew have it. Limit: in one that cuts lines off instead, some lines at the top go missing.
 */
export function findWindowTop({ lines, cursorLine, cursorRow, columns }: WindowState): WindowTop {
  let line = Math.min(cursorLine, lines.length);
  let row = cursorRow;
  while (line > 0) {
    const rows = Math.max(Math.ceil(visibleWidth(lines[line - 1] ?? "") / columns), 1);
    if (row - rows < 1) break;
    row -= rows;
    line -= 1;
  }
  return { line, row };
}
