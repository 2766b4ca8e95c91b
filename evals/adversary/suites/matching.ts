/** True if every word that is looked for is in a row, in whatever case; any row has what is not given. */
export function matching(row: unknown, words: unknown): boolean {
  const text = JSON.stringify(row).toLowerCase();
  return (
    typeof words !== "string" ||
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}
