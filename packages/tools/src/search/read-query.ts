import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";
import { brandsOf, type Deed, deedsOf, emptyWords, sameMeaning } from "./thesaurus.ts";

/** One thing a question names, and what may stand for it. */
export interface Concept {
  readonly term: string;
  /** How much it counts beside the others. */
  readonly weight: number;
  /** What may stand for it. */
  readonly synonyms: ReadonlySet<string>;
  /** It and its neighbour in one word, as in `on call` and `oncall`. */
  readonly pairs: readonly string[];
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
const NO_SYNONYMS: ReadonlySet<string> = new Set();
/** The namespace says it already. */
const BRAND_WEIGHT = 0.3;
const VERB_WEIGHT = 0.9;

/** What a question asks for. Without a word that says something it has no concepts. */
export function readQuery(text: string, isNamespace: (word: string) => boolean): Query {
  const words = splitWords(text.slice(0, MAX_CHARS)).slice(0, MAX_WORDS);
  const named = words.filter(isNamespace);
  const meant = words.flatMap((word) => brandsOf.get(word) ?? []).filter(isNamespace);
  const namespaces = new Set(named.length > 0 ? named : meant);
  const deeds = deedsAskedFor(words);
  const concepts = new Map<string, Concept>();
  words.forEach((word, at) => {
    if (emptyWords.has(word) || namespaces.has(word)) return;
    const term = stem(word);
    if (concepts.has(term)) return;
    const [before, after] = [words[at - 1], words[at + 1]];
    const pairs = [before === undefined ? "" : before + word, after === undefined ? "" : word + after];
    const synonyms = sameMeaning.get(term) ?? NO_SYNONYMS;
    const isBrand = brandsOf.get(word)?.some(isNamespace) === true;
    const weight = isBrand ? BRAND_WEIGHT : deedsOf.has(word) ? VERB_WEIGHT : 1;
    concepts.set(term, { term, weight, synonyms, pairs: pairs.filter((pair) => pair !== "").map(stem) });
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
