import type { QueryTerm } from "../search/read-query.ts";

/**
 * BM25 with its usual saturation, but little regard for length, since pieces are of nearly one size. The rarity of a
 * term never falls to nothing: the name of a person who is in most texts still says which of them is about that
 * person. Both are worth more than a point of recall in evals/memory.
 */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.3;

/** A term of a question, with what it is worth. */
export interface WeighedTerm {
  readonly terms: readonly string[];
  readonly rarity: number;
}

/** `countOf`: how many of all `texts` have a term; several in a row are as rare as the rarest of them. */
export function weighTerms(
  terms: readonly QueryTerm[],
  texts: number,
  countOf: (term: string) => number,
): readonly WeighedTerm[] {
  return terms.map((term) => {
    const having = Math.min(...term.terms.map(countOf));
    return { terms: term.terms, rarity: Math.log(1 + (texts - having + 0.5) / (having + 0.5)) };
  });
}

/** How well a text fits, by its terms in their order. `averageLength`: of all texts, in terms. */
export function bm25(text: readonly string[], wanted: readonly WeighedTerm[], averageLength: number): number {
  const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * text.length) / Math.max(averageLength, 1);
  let score = 0;
  for (const { terms, rarity } of wanted) {
    const count = countIn(text, terms);
    score += (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
  }
  return score;
}

function countIn(text: readonly string[], [first = "", ...rest]: readonly string[]): number {
  let count = 0;
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1))
    if (rest.every((term, next) => text[at + 1 + next] === term)) count++;
  return count;
}
