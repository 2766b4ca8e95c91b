import type { StoryLine } from "@deputy/protocol";

export interface StoryRow {
  readonly line: StoryLine;
  /** What came of it. */
  readonly steps: readonly StoryLine[];
}

/** A task's story with each run as one row. What a run did is its own, whatever the owner did to the task meanwhile. */
export function storyRows(lines: readonly StoryLine[]): readonly StoryRow[] {
  const rows: { readonly line: StoryLine; readonly steps: StoryLine[] }[] = [];
  for (const line of lines) {
    const doer =
      line.kind === "step"
        ? (rows.findLast(({ line: { slot } }) => slot?.how === "ran") ?? rows[0])
        : undefined;
    if (doer === undefined) rows.push({ line, steps: [] });
    else doer.steps.push(line);
  }
  return rows;
}
