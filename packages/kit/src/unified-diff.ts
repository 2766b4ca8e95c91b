import { diffLines, type LineChange, splitLines } from "./line-diff.ts";

/** A file before and after; null where there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const CONTEXT_LINES = 3;
/** If both texts together have more characters, they are not compared; the diff gives their sizes instead. */
const LARGEST_DIFF_CHARS = 400_000;

/** The whole change as a unified diff: applied to `before`, it gives `after`. Empty when nothing changes. */
export function unifiedDiff({ path, before, after }: FileChange): string {
  if (before === after) return "";
  const head = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${after === null ? "/dev/null" : path}`];
  const [old, now] = [before ?? "", after ?? ""];
  if (old.length + now.length > LARGEST_DIFF_CHARS)
    return [...head, `@@ too large to compare: ${old.length} characters become ${now.length} @@`].join("\n");
  const [oldLines, newLines] = [splitLines(old), splitLines(now)];
  const hunks = groupNear(diffLines(oldLines, newLines));
  return [...head, ...hunks.flatMap((changes) => hunkOf(changes, oldLines, newLines))].join("\n");
}

/** Changes whose surroundings touch belong to one hunk. */
function groupNear(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.oldStart - last.oldEnd <= 2 * CONTEXT_LINES) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(
  changes: readonly LineChange[],
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = Math.min(CONTEXT_LINES, first.oldStart);
  const after = Math.min(CONTEXT_LINES, oldLines.length - last.oldEnd);
  const [oldFrom, oldTo] = [first.oldStart - before, last.oldEnd + after];
  const [newFrom, newTo] = [first.newStart - before, last.newEnd + after];
  const shown = changes.flatMap(({ oldStart, oldEnd, newStart, newEnd }, n) => [
    ...lines(" ", oldLines.slice(changes[n - 1]?.oldEnd ?? oldFrom, oldStart)),
    ...lines("-", oldLines.slice(oldStart, oldEnd)),
    ...lines("+", newLines.slice(newStart, newEnd)),
  ]);
  const head = `@@ -${span(oldFrom, oldTo)} +${span(newFrom, newTo)} @@`;
  return [head, ...shown, ...lines(" ", oldLines.slice(last.oldEnd, oldTo))];
}

/** Line numbers start at 1. An empty range names the line before it. */
function span(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;
}

function lines(sign: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((line) =>
    line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
  );
}
