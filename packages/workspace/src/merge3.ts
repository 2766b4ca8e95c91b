import { diffLines, type LineChange, splitLines } from "@deputy/kit/unified-diff";

export type Merge =
  | { readonly kind: "merged"; readonly text: string }
  /** The number of places where the sides differ. */
  | { readonly kind: "conflict"; readonly places: number };

/**
 * Merges two versions of one text, line by line. Changes that overlap or touch conflict, unless they are the
 * same; it never guesses.
 */
export function mergeTexts(base: string, ours: string, theirs: string): Merge {
  if (ours === theirs || theirs === base) return { kind: "merged", text: ours };
  if (ours === base) return { kind: "merged", text: theirs };
  const { text, places } = markConflicts(base, ours, theirs);
  return places > 0 ? { kind: "conflict", places } : { kind: "merged", text };
}

/** One text of both sides, for a person to decide: where they differ it has both, as git marks them. */
export function markConflicts(
  base: string,
  ours: string,
  theirs: string,
): { readonly text: string; readonly places: number } {
  const baseLines = splitLines(base);
  const sides = [ours, theirs].map((text) => {
    const lines = splitLines(text);
    return { lines, changes: diffLines(baseLines, lines) };
  });
  const merged: string[] = [];
  let places = 0;
  let at = 0;
  for (const region of regionsOf(sides.map(({ changes }) => changes))) {
    merged.push(...baseLines.slice(at, region.start));
    at = region.end;
    const said = sides.map((side, index) =>
      region.touched.has(index) ? sideOf(side, region, baseLines) : undefined,
    );
    const [mine, yours] = said;
    if (mine === undefined || yours === undefined || mine === yours) merged.push(mine ?? yours ?? "");
    else {
      places++;
      merged.push("<<<<<<< workspace\n", whole(mine), "=======\n", whole(yours), ">>>>>>> folder\n");
    }
  }
  merged.push(...baseLines.slice(at));
  return { text: merged.join(""), places };
}

/** A marker is a line of its own. */
function whole(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** A stretch of base lines that one side or both changed. */
interface Region {
  start: number;
  end: number;
  readonly touched: Set<number>;
}

function regionsOf(changes: readonly (readonly LineChange[])[]): readonly Region[] {
  const all = changes
    .flatMap((list, side) => list.map(({ oldStart, oldEnd }) => ({ side, start: oldStart, end: oldEnd })))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const regions: Region[] = [];
  for (const { side, start, end } of all) {
    const last = regions.at(-1);
    // Touching changes join too: an insertion beside a changed line may refer to the old line.
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.touched.add(side);
    } else regions.push({ start, end, touched: new Set([side]) });
  }
  return regions;
}

/** What a side has in place of the region. */
function sideOf(
  { lines, changes }: { readonly lines: readonly string[]; readonly changes: readonly LineChange[] },
  { start, end }: Region,
  base: readonly string[],
): string {
  const parts: string[] = [];
  let at = start;
  for (const change of changes) {
    if (change.oldStart < start || change.oldEnd > end) continue;
    parts.push(...base.slice(at, change.oldStart), ...lines.slice(change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  return [...parts, ...base.slice(at, end)].join("");
}
