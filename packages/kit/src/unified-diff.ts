/** A file before and after; null if it does not exist. */
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

/** Changes with touching context belong to one hunk. */
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
    ...signed(" ", oldLines.slice(changes[n - 1]?.oldEnd ?? oldFrom, oldStart)),
    ...signed("-", oldLines.slice(oldStart, oldEnd)),
    ...signed("+", newLines.slice(newStart, newEnd)),
  ]);
  const head = `@@ -${span(oldFrom, oldTo)} +${span(newFrom, newTo)} @@`;
  return [head, ...shown, ...signed(" ", oldLines.slice(last.oldEnd, oldTo))];
}

/** Line numbers start at 1. An empty range names the line before it. */
function span(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;
}

function signed(sign: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((line) =>
    line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
  );
}

/** One stretch that differs: the old lines `[oldStart, oldEnd)` became the new lines `[newStart, newEnd)`. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Beyond this many edits, a stretch is cut at the furthest point reached. The result is still correct, but no
 * longer the shortest.
 */
const MOST_EDITS = 256;
const NOWHERE = -(2 ** 30);

/**
 * The changes that turn the old lines into the new ones, in order and separate from each other. Myers'
 * algorithm in linear space: the shortest result up to a number of edits, and never slower than that number
 * times the lines.
 */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): readonly LineChange[] {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const [a, b] = [numbered(oldLines), numbered(newLines)];
  const found: LineChange[] = [];
  const boxes: Box[] = [{ aLo: 0, aHi: a.length, bLo: 0, bHi: b.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { aLo, aHi, bLo, bHi } = box;
    while (aLo < aHi && bLo < bHi && a[aLo] === b[bLo]) [aLo, bLo] = [aLo + 1, bLo + 1];
    while (aLo < aHi && bLo < bHi && a[aHi - 1] === b[bHi - 1]) [aHi, bHi] = [aHi - 1, bHi - 1];
    if (aLo === aHi && bLo === bHi) continue;
    if (aLo === aHi || bLo === bHi) {
      append(found, { oldStart: aLo, oldEnd: aHi, newStart: bLo, newEnd: bHi });
      continue;
    }
    const { x, y } = findMiddle(a.subarray(aLo, aHi), b.subarray(bLo, bHi));
    boxes.push({ aLo: aLo + x, aHi, bLo: bLo + y, bHi }, { aLo, aHi: aLo + x, bLo, bHi: bLo + y });
  }
  return found;
}

/** The lines of a text, each with its line end; the last may have none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

interface Box {
  readonly aLo: number;
  readonly aHi: number;
  readonly bLo: number;
  readonly bHi: number;
}

function append(found: LineChange[], change: LineChange): void {
  const last = found.at(-1);
  if (last?.oldEnd !== change.oldStart || last.newEnd !== change.newStart) found.push(change);
  else found[found.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
}

/** A point on a shortest path through the box, other than its corners. Both sides differ at both ends. */
function findMiddle(a: Int32Array, b: Int32Array): { readonly x: number; readonly y: number } {
  const [n, m] = [a.length, b.length];
  const delta = n - m;
  const most = Math.min(MOST_EDITS, Math.ceil((n + m) / 2));
  const middle = most + 1;
  const forward = new Int32Array(2 * most + 3).fill(NOWHERE);
  const backward = new Int32Array(2 * most + 3).fill(NOWHERE);

  /** One edit further on diagonal `k`, then along what is equal; backward counts from the far corner. */
  const step = (reach: Int32Array, k: number, edits: number, way: "forward" | "backward"): number => {
    const down = reach[middle + k + 1] ?? NOWHERE;
    const right = (reach[middle + k - 1] ?? NOWHERE) + 1;
    let x = Math.max(down - k <= m ? down : NOWHERE, right <= n ? right : NOWHERE);
    if (edits === 0) x = 0;
    if (x >= 0) {
      if (way === "forward") while (x < n && x - k < m && a[x] === b[x - k]) x++;
      else while (x < n && x - k < m && a[n - 1 - x] === b[m - 1 - x + k]) x++;
    }
    reach[middle + k] = x;
    return x;
  };

  for (let edits = 0; edits <= most; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const x = step(forward, k, edits, "forward");
      const other = delta - k;
      if (delta % 2 === 0 || Math.abs(other) > edits - 1 || x < 0) continue;
      if (x + (backward[middle + other] ?? NOWHERE) >= n) return { x, y: x - k };
    }
    for (let k = -edits; k <= edits; k += 2) {
      const x = step(backward, k, edits, "backward");
      const other = delta - k;
      if (delta % 2 !== 0 || Math.abs(other) > edits || x < 0) continue;
      if (x + (forward[middle + other] ?? NOWHERE) >= n) return { x: n - x, y: m - (x - k) };
    }
  }
  return furthest(forward, middle, most);
}

function furthest(
  reach: Int32Array,
  middle: number,
  edits: number,
): { readonly x: number; readonly y: number } {
  let best = { x: 0, y: 0 };
  for (let k = -edits; k <= edits; k += 2) {
    const x = reach[middle + k] ?? NOWHERE;
    if (x >= 0 && 2 * x - k > best.x + best.y) best = { x, y: x - k };
  }
  return best;
}
