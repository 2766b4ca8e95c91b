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
