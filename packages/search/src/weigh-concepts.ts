import { matchConcept } from "./match-concept.ts";
import type { Range } from "./pack-postings.ts";
import type { Query } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";

export interface Weighed {
  /** By tool: what its concepts are worth together. */
  readonly scores: Float32Array;
  /** By tool: how much of what it is about they name. */
  readonly shares: Uint16Array;
  /** By tool: which concepts it has. */
  readonly fits: Uint32Array;
  /** By namespace: how much of its tools speaks of them. */
  readonly homes: Float32Array;
  /** The most that a score may be. */
  readonly whole: number;
}

/** `named`: the tools of services that the question names; empty where it names none. */
export function weighConcepts(index: SearchIndex, query: Query, named: readonly Range[]): Weighed {
  const scores = new Float32Array(index.size);
  const shares = new Uint16Array(index.size);
  const fits = new Uint32Array(index.size);
  const sizes = [...index.namespaces.values()].map(([from, to]) => to - from);
  const homes = new Float32Array(sizes.length);
  const worth = new Float32Array(index.size);
  const core = new Uint8Array(index.size);
  let whole = 0;
  query.concepts.forEach((concept, bit) => {
    const touched: number[] = [];
    const masses = new Float32Array(sizes.length);
    matchConcept(index, concept, { touched, worth, shares: core });
    let strongest = 0;
    for (const at of touched) {
      const score = worth[at] ?? 0;
      const home = index.namespaceOf(at);
      // What the named service has no word for does not count against its tools.
      if (score > strongest && (named.length === 0 || named.some(([from, to]) => at >= from && at < to)))
        strongest = score;
      masses[home] = (masses[home] ?? 0) + score;
      scores[at] = (scores[at] ?? 0) + concept.weight * score;
      shares[at] = (shares[at] ?? 0) + (core[at] ?? 0);
      fits[at] = (fits[at] ?? 0) | (1 << (bit & 31));
      worth[at] = 0;
      core[at] = 0;
    }
    whole += concept.weight * strongest;
    if (strongest === 0) return;
    masses.forEach((mass, home) => {
      // As many as fit, by their logarithm: a large namespace has a few tools for anything.
      const part = Math.log(1 + mass / strongest) / Math.log(2 + (sizes[home] ?? 0));
      homes[home] = (homes[home] ?? 0) + concept.weight * strongest * part;
    });
  });
  return { scores, shares, fits, homes, whole };
}
