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
  /** As it stands in a text, with the space before and after it. */
  readonly part: string;
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
    return {
      part: ` ${term.terms.join(" ")} `,
      rarity: Math.log(1 + (texts - having + 0.5) / (having + 0.5)),
    };
  });
}

/** A text as its terms in their order, with a space between them: counting in one string is fastest. */
export interface TermText {
  readonly terms: string;
  readonly count: number;
}

/** How well a text fits. `averageLength`: of all texts, in terms. */
export function bm25(text: TermText, wanted: readonly WeighedTerm[], averageLength: number): number {
  const padded = ` ${text.terms} `;
  const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * text.count) / Math.max(averageLength, 1);
  let score = 0;
  for (const { part, rarity } of wanted) {
    const count = countIn(padded, part);
    score += (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
  }
  return score;
}

function countIn(text: string, part: string): number {
  let count = 0;
  // The space after one is the space before the next.
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length - 1)) count++;
  return count;
}
