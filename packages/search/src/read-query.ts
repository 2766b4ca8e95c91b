import { deedsAskedFor } from "./asked-deeds.ts";
import { takeGivenValues } from "./given-values.ts";
import { namesIn, type Naming } from "./names-in-query.ts";
import { phraseAt } from "./phrases.ts";
import type { SearchIndex } from "./search-index.ts";
import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";
import { brandsOf, emptyWords, sameMeaning } from "./thesaurus.ts";
import { type Deed, deedsOf } from "./verbs.ts";

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
  /** First names of tools that it names, and how surely. */
  readonly namespaces: ReadonlyMap<string, Naming>;
  /** Whether it looks for something by words. */
  readonly seeks: boolean;
  /** Whether it is about whoever asks. */
  readonly own: boolean;
}

/** Of a longer question only the beginning is read. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 40;
const NUMBER = /^\p{N}+$/u;
const NO_SYNONYMS: ReadonlySet<string> = new Set();

/** The namespace says it already. */
const BRAND_WEIGHT = 0.3;
const NAME_WEIGHT = 0.5;
/** Of verbs that say no more than the kind of operation does. */
const PLAIN_VERB_WEIGHT = 0.7;
/** Of other verbs. */
const VERB_WEIGHT = 0.9;
/** Of words that ask for somebody, some time or some number, or that just ask. */
const VAGUE_WEIGHT = 0.35;
/** Of names: what a tool is given rather than what it is called. */
const GIVEN_WEIGHT = 0.4;
/** Of what follows a word of `ASIDE`: with what, for whom, why. */
const ASIDE_WEIGHT = 0.6;

const VAGUE = wordSet(
  "who whose whom when where much many someone somebody anyone anybody everyone everybody show see get tell give",
);
const ASIDE = wordSet(
  "with about for that from by while if because so after before since named called saying mentioning",
);
const PLAIN_VERBS: ReadonlySet<string> = new Set(
  [
    "list find search read view display check create add new make insert put set change update edit modify delete",
    "remove write send post open start do use keep bring take leave turn switch have run save",
  ].flatMap((words) => words.split(" ").map(stem)),
);
const OWN = wordSet("i my me mine");
const SEEKS = wordSet("find search look looking searching mentioning");
/** Before `like` where that is no comparison: “I like it”, “what was it like”. */
const WHO_LIKES = wordSet(
  "i you we they people would id wed who that it is was look looks feel feels weather to and",
);
const SIMILAR = new Set(["relat", "recommend", "suggest"].map(stem));

/** What a question asks for. Without a word that says something it has no concepts. */
export function readQuery(text: string, names: Pick<SearchIndex, "namespaces" | "isWordOutside">): Query {
  const { rest, kinds } = takeGivenValues(text.slice(0, MAX_CHARS));
  const words = splitWords(rest).slice(0, MAX_WORDS);
  const given = givenNames(rest);
  const namespaces = namesIn(splitWords(text.slice(0, MAX_CHARS)), names);
  const concepts = new Map<string, Concept>();
  const put = (concept: Concept): void => {
    if (!concepts.has(concept.term)) concepts.set(concept.term, concept);
  };
  let aside = 1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (ASIDE.has(word) && concepts.size > 0) aside = ASIDE_WEIGHT;
    if (word === "like" && at > 0 && !WHO_LIKES.has(words[at - 1] ?? ""))
      put({ term: "similar", weight: 1, synonyms: SIMILAR, pairs: [] });
    const together = phraseAt(words, at);
    if (together !== undefined) {
      put({ term: stem(together.word), weight: 1, synonyms: new Set(together.meant.map(stem)), pairs: [] });
      at = together.last;
    } else if (!emptyWords.has(word) && !NUMBER.test(word) && namespaces.get(word) !== "sure") {
      const term = stem(word);
      const weight = aside * weightOf(word, given, namespaces);
      put({ term, weight, synonyms: sameMeaning.get(term) ?? NO_SYNONYMS, pairs: pairsAt(words, at) });
    }
  }
  for (const { term, weight, meant } of kinds)
    put({ term, weight, synonyms: new Set(meant.map(stem)), pairs: [] });
  return {
    concepts: [...concepts.values()],
    deeds: deedsAskedFor(words),
    namespaces,
    seeks: words.some((word) => SEEKS.has(word)),
    own: words.some((word) => OWN.has(word)),
  };
}

function weightOf(word: string, given: ReadonlySet<string>, namespaces: ReadonlyMap<string, Naming>): number {
  if (VAGUE.has(word)) return VAGUE_WEIGHT;
  const isBrand = brandsOf.get(word)?.some((name) => namespaces.get(name) === "sure") === true;
  let weight = deedsOf(word) !== undefined ? VERB_WEIGHT : 1;
  if (PLAIN_VERBS.has(stem(word))) weight = PLAIN_VERB_WEIGHT;
  if (isBrand) weight = BRAND_WEIGHT;
  if (namespaces.has(word)) weight = NAME_WEIGHT;
  return given.has(word) ? weight * GIVEN_WEIGHT : weight;
}

function pairsAt(words: readonly string[], at: number): readonly string[] {
  const [before, word = "", after] = [words[at - 1], words[at], words[at + 1]];
  return [
    ...(before === undefined ? [] : [stem(before + word)]),
    ...(after === undefined ? [] : [stem(word + after)]),
  ];
}

/** Capitalised words within a sentence, hashtags and what is quoted. */
function givenNames(text: string): ReadonlySet<string> {
  const found = text.match(/(?<=[\p{L},] )\p{Lu}\p{Ll}+|[#@][\p{L}\p{N}_-]+|(?<=["“])[^"”]*(?=["”])/gu);
  return new Set((found ?? []).flatMap(splitWords));
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
