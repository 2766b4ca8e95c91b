import { COMMON_SHARE, LARGE_INDEX } from "../store/memory-store.ts";

/**
 * Remembers which terms nearly every text of a large index has: SQLite counts the texts of a term one by one, which
 * takes longest for the terms that are then left out.
 */
export interface CommonTerms {
  /** How many of `texts` have a term: exact, unless the term was common when the index was about as large. */
  countOf(term: string, texts: number, count: (term: string) => number): number;
}

/** A count is used until the index has grown or shrunk by this share. */
const DRIFT = 0.05;
const MOST_KEPT = 1_000;

export function createCommonTerms(): CommonTerms {
  const known = new Map<string, number>();
  let countedAt = 0;
  return {
    countOf(term, texts, count) {
      if (texts < LARGE_INDEX) return count(term);
      if (Math.abs(texts - countedAt) > countedAt * DRIFT || known.size > MOST_KEPT) {
        known.clear();
        countedAt = texts;
      }
      const counted = known.get(term) ?? count(term);
      if (counted > texts * COMMON_SHARE) known.set(term, counted);
      return counted;
    },
  };
}
