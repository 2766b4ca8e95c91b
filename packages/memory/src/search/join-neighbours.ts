import type { StoredChunk } from "../store/memory-store.ts";
import type { Fused } from "./fuse.ts";

type Ranked = Fused & { readonly chunk: StoredChunk };

/** So many of the best are looked at, however many are asked for: what a hit says does not depend on that. */
export const LOOKED_AT = 12;

/**
 * Joins two pieces among the best that follow each other in a document: they overlap, so both would say the same
 * twice, and the other place goes to something new. The better of the two keeps its rank. At most two are joined, so
 * that a hit stays short.
 */
export function joinNeighbours(ranked: readonly Ranked[], lookedAt = LOOKED_AT): readonly Ranked[] {
  const joined: Ranked[] = [];
  const pairs = new Set<number>();
  for (const [rank, each] of ranked.entries()) {
    const at =
      rank < lookedAt
        ? joined.findIndex((other, place) => !pairs.has(place) && isNext(other.chunk, each.chunk))
        : -1;
    const other = joined[at];
    if (other === undefined) joined.push(each);
    else {
      joined[at] = join(other, each);
      pairs.add(at);
    }
  }
  return joined;
}

function isNext(a: StoredChunk, b: StoredChunk): boolean {
  return a.document.key === b.document.key && a.header === b.header && Math.abs(a.place - b.place) === 1;
}

function join(better: Ranked, other: Ranked): Ranked {
  const [first, second] = better.chunk.place < other.chunk.place ? [better, other] : [other, better];
  const meanings = [better.meaning, other.meaning].filter((value) => value !== undefined);
  return {
    ...better,
    meaning: meanings.length === 0 ? undefined : Math.max(...meanings),
    chunk: {
      ...better.chunk,
      place: first.chunk.place,
      firstLine: first.chunk.firstLine,
      lastLine: second.chunk.lastLine,
      text: joinTexts(first.chunk, second.chunk),
      foreign: [...new Set([...first.chunk.foreign, ...second.chunk.foreign])],
    },
  };
}

/** What the second repeats of the first is there once. */
function joinTexts(first: StoredChunk, second: StoredChunk): string {
  if (second.firstLine > first.lastLine) return `${first.text}\n${second.text}`;
  for (let size = Math.min(first.text.length, second.text.length); size > 0; size--)
    if (first.text.endsWith(second.text.slice(0, size))) return first.text + second.text.slice(size);
  // Parts of one line that was too long.
  return first.text + second.text;
}
