import type { QueryTerm } from "../search/read-query.ts";
import { COMMON_SHARE, LARGE_INDEX, LEAST_TERMS } from "./memory-store.ts";

/** Leaves out terms that nearly every text of a large index has. `countOf`: how many texts have a term. */
export function chooseTerms(
  terms: readonly QueryTerm[],
  texts: number,
  countOf: (term: string) => number,
): readonly QueryTerm[] {
  const counted = terms.map((term) => ({ term, count: Math.min(...term.terms.map(countOf)) }));
  const there = counted.filter(({ count }) => count > 0);
  if (texts < LARGE_INDEX) return there.map(({ term }) => term);
  const common = texts * COMMON_SHARE;
  const rarest = new Set(there.toSorted((a, b) => a.count - b.count).slice(0, LEAST_TERMS));
  return there
    .filter((each) => each.term.isExact || each.count <= common || rarest.has(each))
    .map(({ term }) => term);
}
