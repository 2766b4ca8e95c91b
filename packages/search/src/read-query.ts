import { type Deed, deedsOf } from "./deeds.ts";
import type { SearchIndex } from "./search-index.ts";
import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";
import { brandNamespaces, emptyWords, phraseAt, synonymsOf } from "./words.ts";

/** One thing that a question names. */
export interface Concept {
  readonly term: string;
  /** How much it counts beside the others. */
  readonly weight: number;
  /** Terms that may stand for it, the best first. */
  readonly synonyms: ReadonlySet<string>;
}

/**
 * How a question names a service: `sure` by a word with no other meaning; the others by words that are
 * ordinary too.
 */
export type Naming = "sure" | "by name" | "by brand";

export interface Query {
  readonly concepts: readonly Concept[];
  /** The kinds of operation that its first verb may ask for; empty without a verb. */
  readonly deeds: ReadonlySet<Deed>;
  readonly namespaces: ReadonlyMap<string, Naming>;
  /** True if it is about the user's own things. */
  readonly own: boolean;
}

/** Only this much of a longer question is read. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 40;
const NUMBER = /^\p{N}+$/u;
const NO_SYNONYMS: ReadonlySet<string> = new Set();
const NO_DEEDS: ReadonlySet<Deed> = new Set();

/** Words that ask for a person, a time or a number, or that merely ask. */
const VAGUE_WEIGHT = 0.35;
const VAGUE = new Set(
  "who whose whom when where much many someone somebody anyone anybody everyone everybody show see get tell give".split(
    " ",
  ),
);
const OWN = new Set(["i", "my", "me", "mine"]);

/** What a question asks for. It has no concepts if none of its words is meaningful. */
export function readQuery(text: string, names: Pick<SearchIndex, "namespaces" | "isWordOutside">): Query {
  const words = splitWords(text.slice(0, MAX_CHARS)).slice(0, MAX_WORDS);
  const namespaces = namespacesIn(words, names);
  const concepts = new Map<string, Concept>();
  const put = (concept: Concept): void => {
    if (!concepts.has(concept.term)) concepts.set(concept.term, concept);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const phrase = phraseAt(words, at);
    if (phrase !== undefined) {
      put({ term: phrase.term, weight: 1, synonyms: phrase.synonyms });
      at = phrase.last;
    } else if (!emptyWords.has(word) && !NUMBER.test(word) && namespaces.get(word) !== "sure") {
      const term = stem(word);
      const weight = VAGUE.has(word) ? VAGUE_WEIGHT : 1;
      put({ term, weight, synonyms: synonymsOf.get(term) ?? NO_SYNONYMS });
    }
  }
  return {
    concepts: [...concepts.values()],
    deeds: words.map(deedsOf).find((deeds) => deeds !== undefined) ?? NO_DEEDS,
    namespaces,
    own: words.some((word) => OWN.has(word)),
  };
}

/** Services that are named by their namespace, or by what people call them. */
function namespacesIn(
  words: readonly string[],
  { namespaces, isWordOutside }: Pick<SearchIndex, "namespaces" | "isWordOutside">,
): ReadonlyMap<string, Naming> {
  const found = new Map<string, Naming>();
  for (const word of words)
    if (namespaces.has(word)) found.set(word, isWordOutside(word, word) ? "by name" : "sure");
  if (found.size > 0) return found;
  for (const word of words)
    for (const name of brandNamespaces.get(word) ?? [])
      if (namespaces.has(name)) found.set(name, isWordOutside(name, word) ? "by brand" : "sure");
  return found;
}
