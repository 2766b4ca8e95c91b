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
  /** Whether it asks for several. */
  readonly many: boolean;
  /** Whether it is about whoever asks. */
  readonly own: boolean;
}

/** Of a longer question only the beginning is read. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 40;
const NO_SYNONYMS: ReadonlySet<string> = new Set();

/** The namespace says it already. */
const BRAND_WEIGHT = 0.3;
const NAME_WEIGHT = 0.5;
const VERB_WEIGHT = 0.75;
/** Of words that ask for somebody, some time or some number, or that just ask. */
const VAGUE_WEIGHT = 0.35;
/** Of names and numbers: what a tool is given rather than what it is called. */
const GIVEN_WEIGHT = 0.4;
/** Of what follows a word of `ASIDE`: with what, for whom, why. */
const ASIDE_WEIGHT = 0.6;

const VAGUE = wordSet(
  "who whose whom when where much many someone somebody anyone anybody everyone everybody show see get tell give",
);
const ASIDE = wordSet(
  "with about for that from by while if because so after before since named called saying mentioning",
);
const OWN = wordSet("i my me mine");

/** What a question asks for. Without a word that says something it has no concepts. */
export function readQuery(text: string, names: Pick<SearchIndex, "namespaces" | "isWordOutside">): Query {
  const words = splitWords(text.slice(0, MAX_CHARS)).slice(0, MAX_WORDS);
  const given = givenNames(text.slice(0, MAX_CHARS));
  const namespaces = namesIn(words, names);
  const concepts = new Map<string, Concept>();
  let aside = 1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (ASIDE.has(word) && concepts.size > 0) aside = ASIDE_WEIGHT;
    const together = phraseAt(words, at);
    if (together === undefined && (emptyWords.has(word) || namespaces.get(word) === "sure")) continue;
    const term = stem(together?.phrase ?? word);
    if (!concepts.has(term)) {
      const weight = together === undefined ? aside * weightOf(word, given, namespaces) : 1;
      const pairs = together === undefined ? pairsAt(words, at) : [];
      concepts.set(term, { term, weight, synonyms: sameMeaning.get(term) ?? NO_SYNONYMS, pairs });
    }
    at = together?.last ?? at;
  }
  return {
    concepts: [...concepts.values()],
    deeds: deedsAskedFor(words),
    namespaces,
    many: words.some((word) => /^(?:list|all|which|every|many)$|^..+[^s]s$/.test(word)),
    own: words.some((word) => OWN.has(word)),
  };
}

function weightOf(word: string, given: ReadonlySet<string>, namespaces: ReadonlyMap<string, Naming>): number {
  if (VAGUE.has(word)) return VAGUE_WEIGHT;
  const isGiven = given.has(word) || /^\p{N}+$/u.test(word);
  const isBrand = brandsOf.get(word)?.some((name) => namespaces.get(name) === "sure") === true;
  let weight = deedsOf.has(word) ? VERB_WEIGHT : 1;
  if (isBrand) weight = BRAND_WEIGHT;
  if (namespaces.has(word)) weight = NAME_WEIGHT;
  return isGiven ? weight * GIVEN_WEIGHT : weight;
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

/** The first verb tells; a question asks to read. */
function deedsAskedFor(words: readonly string[]): ReadonlySet<Deed> {
  for (const [at, word] of words.entries()) {
    // “How do I cancel it” asks to cancel.
    if (word === "how" && /^(?:do|can|to|could|would|should)$/.test(words[at + 1] ?? "")) continue;
    const deeds = deedsOf.get(phraseAt(words, at)?.phrase ?? "") ?? deedsOf.get(word);
    if (deeds !== undefined) return deeds;
  }
  return new Set();
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
