/** Rows as a list shows them: without what only the whole has. */
export function without<Row extends object, Key extends keyof Row>(
  rows: readonly Row[],
  key: Key,
): readonly Omit<Row, Key>[] {
  return rows.map((row) => {
    const { [key]: _, ...head } = row;
    return head;
  });
}
