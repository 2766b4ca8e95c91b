import type { Range } from "./pack-postings.ts";
import type { Concept, Query } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";

export interface Scored {
  /** By tool: the total score of its concepts. */
  readonly scores: Float32Array;
  /** By tool: how much of its subject they name; 255 is all of it. */
  readonly shares: Uint16Array;
  /** By tool: which concepts it has, one bit each. */
  readonly fits: Uint32Array;
  /** By namespace: how many of its tools mention them. */
  readonly homes: Float32Array;
  /** The most that a score may be. */
  readonly whole: number;
}

/** Of BM25: how soon repetitions of a word add nothing. */
const SATURATION = 2;
/** How much the first synonym is worth beside the word itself; each further one is worth less. */
const SYNONYM = 0.9;
const SYNONYM_STEP = 0.05;
const LEAST_SYNONYM = 0.6;
/** How much a word counts that only begins like the one asked for. */
const BEGINNING = 0.45;
const MIN_BEGINNING = 4;
const MAX_BEGINNINGS = 12;

/** `named`: the tools of services that the question names; empty if it names none. */
export function scoreConcepts(index: SearchIndex, query: Query, named: readonly Range[]): Scored {
  const scores = new Float32Array(index.size);
  const shares = new Uint16Array(index.size);
  const fits = new Uint32Array(index.size);
  const sizes = [...index.namespaces.values()].map(([from, to]) => to - from);
  const homes = new Float32Array(sizes.length);
  const matches: Matches = {
    touched: [],
    worth: new Float32Array(index.size),
    shares: new Uint8Array(index.size),
  };
  let whole = 0;
  query.concepts.forEach((concept, bit) => {
    matchConcept(index, concept, query.verb, matches);
    const masses = new Float32Array(sizes.length);
    let strongest = 0;
    for (const at of matches.touched) {
      const score = matches.worth[at] ?? 0;
      const home = index.namespaceOf(at);
      // A concept that no tool of the named service has does not count against its tools.
      if (score > strongest && (named.length === 0 || named.some(([from, to]) => at >= from && at < to)))
        strongest = score;
      masses[home] = (masses[home] ?? 0) + score;
      scores[at] = (scores[at] ?? 0) + concept.weight * score;
      shares[at] = (shares[at] ?? 0) + (matches.shares[at] ?? 0);
      fits[at] = (fits[at] ?? 0) | (1 << (bit & 31));
      matches.worth[at] = 0;
      matches.shares[at] = 0;
    }
    matches.touched.length = 0;
    whole += concept.weight * strongest;
    if (strongest === 0) return;
    masses.forEach((mass, home) => {
      // Counts matching tools by their logarithm, because a large namespace has a few tools for anything.
      const part = Math.log(1 + mass / strongest) / Math.log(2 + (sizes[home] ?? 0));
      homes[home] = (homes[home] ?? 0) + concept.weight * strongest * part;
    });
  });
  return { scores, shares, fits, homes, whole };
}

/** The score of one concept by tool. Empty before and after each concept, so that all concepts share the arrays. */
interface Matches {
  readonly touched: number[];
  readonly worth: Float32Array;
  readonly shares: Uint8Array;
}

function matchConcept(
  index: SearchIndex,
  concept: Concept,
  verb: Query["verb"],
  { touched, worth, shares }: Matches,
): void {
  // A synonym counts no more than the word itself.
  const limit = index.postingsOf(concept.term)?.rarity ?? Number.POSITIVE_INFINITY;
  const match = (term: string, share: number): void => {
    const postings = index.postingsOf(term);
    if (postings === undefined) return;
    const { tools, amounts } = postings;
    const rarity = Math.min(postings.rarity, limit);
    for (let n = 0; n < tools.length; n++) {
      const at = tools[n] ?? 0;
      const amount = amounts[n] ?? 0;
      const score = (share * rarity * amount * (SATURATION + 1)) / (amount + SATURATION);
      const before = worth[at] ?? 0;
      if (before === 0) touched.push(at);
      if (score > before) worth[at] = score;
      const named = postings.shares[n] ?? 0;
      if (named > (shares[at] ?? 0)) shares[at] = named;
    }
  };
  match(concept.term, 1);
  let share = SYNONYM;
  for (const term of concept.synonyms) {
    // The verb stands for nothing but its own concept: `merge` in `merge a pull request` is no pull request.
    if (term !== verb?.stem || concept.term === verb.concept) match(term, share);
    share = Math.max(share - SYNONYM_STEP, LEAST_SYNONYM);
  }
  if (concept.term.length >= MIN_BEGINNING)
    for (const term of index.termsWith(concept.term, MAX_BEGINNINGS)) match(term, BEGINNING);
}
