/** Lines of a table with columns as wide as they need to be; numbers are aligned to the right. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], isNumber: (column: number) => boolean): string =>
    row
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const isNumber = (column: number): boolean => rows.every((row) => typeof row[column] === "number");
  return cells.map((row) => line(row, isNumber)).join("\n");
}
