import { signsOf } from "./vector-code.ts";

/** Finds the vectors that are probably nearest, by the signs of their numbers alone: 48 bytes for 384 numbers. */
export interface SignIndex {
  readonly size: number;
  /** Replaces what this id had. Ids are those of the caller. */
  put(id: number, signs: Uint32Array): void;
  remove(id: number): void;
  /** The ids of those that are nearest to `vector` as far as their signs tell, in no order. */
  nearest(vector: Float32Array, limit: number): readonly number[];
}

const FIRST_ROOM = 1_024;
/** So many times as many as are wanted share most signs; of those, the numbers of the question's own vector decide. */
const WEIGHED = 3;

export function createSignIndex(dimensions: number): SignIndex {
  const width = Math.ceil(dimensions / 32);
  let ids = new Float64Array(FIRST_ROOM);
  let signs = new Uint32Array(FIRST_ROOM * width);
  let size = 0;
  const rows = new Map<number, number>();

  const grow = (): void => {
    const moreIds = new Float64Array(ids.length * 2);
    moreIds.set(ids);
    ids = moreIds;
    const moreSigns = new Uint32Array(signs.length * 2);
    moreSigns.set(signs);
    signs = moreSigns;
  };

  return {
    get size() {
      return size;
    },
    put(id, added) {
      let row = rows.get(id);
      if (row === undefined) {
        if (size === ids.length) grow();
        row = size++;
        rows.set(id, row);
        ids[row] = id;
      }
      signs.set(added.subarray(0, width), row * width);
    },
    remove(id) {
      const row = rows.get(id);
      if (row === undefined) return;
      rows.delete(id);
      const last = --size;
      if (row === last) return;
      const moved = ids[last] ?? 0;
      ids[row] = moved;
      rows.set(moved, row);
      signs.copyWithin(row * width, last * width, (last + 1) * width);
    },
    nearest(vector, limit) {
      if (size <= limit) return [...ids.subarray(0, size)];
      const near = nearestRows(signs, size, signsOf(vector), limit * WEIGHED);
      return bestRows(near, signs, vector, limit).map((row) => ids[row] ?? 0);
    },
  };
}

/**
 * Those whose signs agree with the large numbers of `vector`, and not only with many of them: nearly as good as the
 * cosine with the vectors themselves, which are on disk.
 */
function bestRows(
  rows: readonly number[],
  signs: Uint32Array,
  vector: Float32Array,
  limit: number,
): readonly number[] {
  const width = Math.ceil(vector.length / 32);
  return rows
    .map((row) => {
      let agreement = 0;
      for (let at = 0; at < vector.length; at++)
        if ((((signs[row * width + (at >> 5)] ?? 0) >>> (at & 31)) & 1) === 1) agreement += vector[at] ?? 0;
      return { row, agreement };
    })
    .sort((a, b) => b.agreement - a.agreement || a.row - b.row)
    .slice(0, limit)
    .map(({ row }) => row);
}

/** By counting: there are few different distances, and rows of equal distance are equally good. */
function nearestRows(
  signs: Uint32Array,
  size: number,
  wanted: Uint32Array,
  limit: number,
): readonly number[] {
  const width = wanted.length;
  const distances = new Uint16Array(size);
  const counts = new Uint32Array(width * 32 + 1);
  for (let row = 0, from = 0; row < size; row++, from += width) {
    let distance = 0;
    for (let at = 0; at < width; at++) {
      let bits = (signs[from + at] ?? 0) ^ (wanted[at] ?? 0);
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    distances[row] = distance;
    counts[distance] = (counts[distance] ?? 0) + 1;
  }
  let farthest = 0;
  for (let room = limit; farthest < counts.length; farthest++) {
    room -= counts[farthest] ?? 0;
    if (room <= 0) break;
  }
  const rows: number[] = [];
  for (let row = 0; row < size; row++) if ((distances[row] ?? 0) < farthest) rows.push(row);
  for (let row = 0; row < size && rows.length < limit; row++) if (distances[row] === farthest) rows.push(row);
  return rows;
}
