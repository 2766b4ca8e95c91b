/** A line of what a run did; of its answer, the whole text. */
export interface RunLine {
  readonly kind: "answer" | "step";
  readonly text: string;
}

const LOOKING = new Set(["deputy.searchTools", "deputy.describeTools"]);

/** What came of a run, from the lines of its story: the answer first, and calls that went well as one line. */
export function runLines(steps: readonly string[]): readonly RunLine[] {
  const answer = steps.findLastIndex((text) => text.startsWith("Said: "));
  const done = Map.groupBy(
    steps.flatMap((text) => toolThatWorked(text) ?? []).filter((path) => !LOOKING.has(path)),
    (path) => path,
  );
  const calls = [...done].map(([path, { length }]) => (length === 1 ? path : `${path} × ${length}`));
  const others = steps.filter(
    (text, at) => at !== answer && text !== "Had nothing to report" && toolThatWorked(text) === undefined,
  );
  return [
    ...(answer < 0 ? [] : [{ kind: "answer" as const, text: steps[answer]?.slice("Said: ".length) ?? "" }]),
    ...(calls.length === 0 ? [] : [{ kind: "step" as const, text: calls.join(", ") }]),
    ...others.map((text) => ({ kind: "step" as const, text })),
  ];
}

function toolThatWorked(text: string): string | undefined {
  return /^(\S+): succeeded$/.exec(text)?.[1];
}
