import type { Concept } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";
import { K } from "./knobs.ts";

const MIN_BEGINNING = 4;
const MAX_BEGINNINGS = 12;

/** What of one concept was found: by tool, how much it is worth, and how much of the tool it names (to 255). */
export interface Matched {
  readonly touched: number[];
  readonly best: Float32Array;
  readonly shares: Uint8Array;
}

/** Puts what the concept is worth for each tool that has it into `matched`, whose arrays are all 0 before. */
export function matchConcept(index: SearchIndex, concept: Concept, matched: Matched): void {
  const { touched, best, shares } = matched;
  // What stands for a word is worth no more than the word itself.
  const own = index.postingsOf(concept.term)?.rarity;
  const limit = Math.min(own ?? K.maxRarity!, K.maxRarity!);
  const match = (term: string, share: number, most: number): void => {
    const postings = index.postingsOf(term);
    if (postings === undefined) return;
    const { tools, amounts } = postings;
    const rarity = Math.min(postings.rarity, most);
    for (let n = 0; n < tools.length; n++) {
      const at = tools[n] ?? 0;
      const amount = amounts[n] ?? 0;
      const score = (share * rarity * amount * (K.sat! + 1)) / (amount + K.sat!);
      const before = best[at] ?? 0;
      if (before === 0) touched.push(at);
      if (score > before) best[at] = score;
      const named = postings.shares[n] ?? 0;
      if (named > (shares[at] ?? 0)) shares[at] = named;
    }
  };
  match(concept.term, 1, limit);
  for (const term of concept.synonyms) match(term, K.synonym!, limit);
  for (const term of concept.pairs) match(term, K.pair!, K.maxRarity!);
  if (concept.term.length >= MIN_BEGINNING)
    for (const term of index.termsWith(concept.term, MAX_BEGINNINGS)) match(term, K.beginning!, limit);
}
