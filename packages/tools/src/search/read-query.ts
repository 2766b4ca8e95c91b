import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";
import { type Deed, deedsOf, emptyWords, sameMeaning } from "./thesaurus.ts";

/** One thing a question names, and what may stand for it. */
export interface Concept {
  readonly term: string;
  /** How much it counts beside the others. */
  readonly weight: number;
  /** Every term that is it, itself included, and how much of it each is. */
  readonly alternatives: ReadonlyMap<string, number>;
}

export interface Query {
  readonly concepts: readonly Concept[];
  readonly deeds: ReadonlySet<Deed>;
  /** First names of tools that it names. */
  readonly namespaces: ReadonlySet<string>;
}

/** Of a longer question only the beginning is read. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 40;
const SYNONYM = 0.55;
const PAIR = 0.9;
const VERB_WEIGHT = 0.45;

/** What a question asks for. Without a word that says something it has no concepts. */
export function readQuery(text: string, isNamespace: (word: string) => boolean): Query {
  const words = splitWords(text.slice(0, MAX_CHARS)).slice(0, MAX_WORDS);
  const namespaces = new Set(words.filter(isNamespace));
  const deeds = deedsAskedFor(words);
  const concepts = new Map<string, Concept>();
  words.forEach((word, at) => {
    if (emptyWords.has(word) || namespaces.has(word)) return;
    const term = stem(word);
    if (concepts.has(term)) return;
    const alternatives = new Map<string, number>();
    for (const other of sameMeaning.get(term) ?? []) alternatives.set(other, SYNONYM);
    alternatives.set(term, 1);
    for (const neighbour of [words[at - 1], words[at + 1]])
      if (neighbour !== undefined) {
        const pair = neighbour === words[at - 1] ? neighbour + word : word + neighbour;
        alternatives.set(stem(pair), PAIR);
      }
    const weight = deedsOf.has(word) ? VERB_WEIGHT : 1;
    concepts.set(term, { term, weight, alternatives });
  });
  return { concepts: [...concepts.values()], deeds, namespaces };
}

/** The first verb tells; a question asks to read. */
function deedsAskedFor(words: readonly string[]): ReadonlySet<Deed> {
  for (const word of words) {
    const deeds = deedsOf.get(word);
    if (deeds !== undefined) return deeds;
  }
  return new Set();
}
