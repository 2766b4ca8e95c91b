/** Consecutive events of one stream that need positions between two that have theirs. */
export interface Unplaced {
  readonly count: number;
  /** Both exclusive. */
  readonly after: number;
  readonly before: number;
}

/**
 * Free positions for each, ascending, so that positions keep rising along every stream; undefined for one
 * that finds too few. `taken` are the positions in use, ascending. Places the one with the earliest end
 * first, which finds a solution if there is one; and the events' original positions are one.
 */
export function placeEvents(
  unplaced: readonly Unplaced[],
  taken: Iterable<number>,
  end: number,
): ReadonlyMap<Unplaced, readonly number[]> {
  const waiting = [...unplaced].sort((a, b) => a.after - b.after);
  const open: { readonly one: Unplaced; readonly found: number[] }[] = [];
  const placed = new Map<Unplaced, readonly number[]>();
  const inUse = taken[Symbol.iterator]();
  let used = inUse.next();
  let next = 0;

  for (let position = 1; position <= end && (open.length > 0 || next < waiting.length); position++) {
    for (let one = waiting[next]; one !== undefined && one.after < position; one = waiting[++next]) {
      const { before } = one;
      const at = open.findIndex((other) => other.one.before > before);
      open.splice(at < 0 ? open.length : at, 0, { one, found: [] });
    }
    while (used.done !== true && used.value < position) used = inUse.next();
    if (used.done !== true && used.value === position) continue;
    while (open[0] !== undefined && open[0].one.before <= position) open.shift();
    const [first] = open;
    if (first === undefined) continue;
    first.found.push(position);
    if (first.found.length < first.one.count) continue;
    placed.set(first.one, first.found);
    open.shift();
  }
  return placed;
}

/** The largest set of these that ascends together; the others have a wrong position. */
export function risingIndexes(positions: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const before: number[] = [];
  positions.forEach((position, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((positions[tails[middle] ?? 0] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  });
  const rising = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) rising.add(index);
  return rising;
}
