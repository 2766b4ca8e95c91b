import type { Concept } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";

/** Of BM25: how soon more of the same word says no more. */
const SATURATION = 2;
/** Beyond it a word is no more telling for being rarer: it may be a name, or what the tool is to work on. */
const MAX_RARITY = 7;
/** How much the first word is worth that stands for the one asked for; each further one is worth less. */
const SYNONYM = 0.9;
const SYNONYM_STEP = 0.05;
const LEAST_SYNONYM = 0.6;
/** The same of two words that are written as one. */
const PAIR = 0.9;
/** How much a word that only begins like the one asked for is worth. */
const BEGINNING = 0.45;
const MIN_BEGINNING = 4;
const MAX_BEGINNINGS = 12;

/** By tool: how much a concept is worth for it, and how much of what it is about that names, to 255. */
export interface Matches {
  readonly touched: number[];
  readonly worth: Float32Array;
  readonly shares: Uint8Array;
}

/** Puts the tools that have the concept into `matches`, which has none before. */
export function matchConcept(
  index: SearchIndex,
  concept: Concept,
  { touched, worth, shares }: Matches,
): void {
  // What stands for a word is worth no more than the word itself.
  const limit = Math.min(index.postingsOf(concept.term)?.rarity ?? MAX_RARITY, MAX_RARITY);
  const match = (term: string, share: number, most: number): void => {
    const postings = index.postingsOf(term);
    if (postings === undefined) return;
    const { tools, amounts } = postings;
    const rarity = Math.min(postings.rarity, most);
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
  match(concept.term, 1, limit);
  let share = SYNONYM;
  for (const term of concept.synonyms) {
    match(term, share, limit);
    share = Math.max(share - SYNONYM_STEP, LEAST_SYNONYM);
  }
  for (const term of concept.pairs) match(term, PAIR, MAX_RARITY);
  if (concept.term.length >= MIN_BEGINNING)
    for (const term of index.termsWith(concept.term, MAX_BEGINNINGS)) match(term, BEGINNING, limit);
}
