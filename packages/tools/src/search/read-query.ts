import { isPhrase, phraseAt } from "./phrases.ts";
import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";
import { brandsOf, emptyWords, sameMeaning } from "./thesaurus.ts";
import { K } from "./knobs.ts";
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
  /** First names of tools that it names. */
  readonly namespaces: ReadonlySet<string>;
  /** Whether it asks for several. */
  readonly many: boolean;
}

/** Of a longer question only the beginning is read. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 40;
const NO_SYNONYMS: ReadonlySet<string> = new Set();
const QUESTION_WORDS: ReadonlySet<string> = new Set("who whose whom when where much many".split(" "));
/** What follows them says with what, whose or why: less than what stands before. */
const ASIDE: ReadonlySet<string> = new Set(
  "with about for that from by while if because so after before since named called saying mentioning".split(" "),
);

/** What a question asks for. Without a word that says something it has no concepts. */
export function readQuery(text: string, isNamespace: (word: string) => boolean): Query {
  const words = splitWords(text.slice(0, MAX_CHARS)).slice(0, MAX_WORDS);
  const given = givenNames(text);
  const named = words.filter(isNamespace);
  const meant = words.flatMap((word) => brandsOf.get(word) ?? []).filter(isNamespace);
  const namespaces = new Set(named.length > 0 ? named : meant);
  const concepts = new Map<string, Concept>();
  let aside = false;
  let past = -1;
  words.forEach((word, at) => {
    if (ASIDE.has(word) && concepts.size > 0) aside = true;
    if (at <= past) return;
    const phrase = phraseAt(words, at);
    if (phrase !== undefined) {
      past = phrase.last;
      const term = stem(phrase.phrase);
      concepts.set(term, {
        term,
        weight: 1,
        synonyms: sameMeaning.get(term) ?? NO_SYNONYMS,
        pairs: [],
      });
      return;
    }
    if (emptyWords.has(word) || (namespaces.has(word) )) return;
    const term = stem(word);
    if (concepts.has(term)) return;
    const [before, after] = [words[at - 1], words[at + 1]];
    const pairs = [before === undefined ? "" : before + word, after === undefined ? "" : word + after];
    const isBrand = brandsOf.get(word)?.some(isNamespace) === true;
    let weight = isBrand ? K.brand : deedsOf.has(word) ? K.verb : 1;
    if (QUESTION_WORDS.has(word)) weight = K.question;
    if (given.has(word) || /^\p{N}+$/u.test(word)) weight *= K.given;
    if (aside) weight *= K.aside;
    concepts.set(term, {
      term,
      weight,
      synonyms: sameMeaning.get(term) ?? NO_SYNONYMS,
      pairs: pairs.filter((pair) => pair !== "").map(stem),
    });
  });
  return { concepts: [...concepts.values()], deeds: deedsAskedFor(words), namespaces, many: asksForMany(words) };
}

/** Names of people and places, hashtags and what is quoted: they are what a tool is given, not what it is called. */
function givenNames(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [match] of text.matchAll(/(?<=[\p{L},] )\p{Lu}\p{Ll}+|[#@][\p{L}\p{N}_-]+|(?<=["“])[^"”]*(?=["”])/gu))
    for (const word of splitWords(match)) found.add(word);
  return found;
}

/** The first verb tells; a question asks to read. */
function deedsAskedFor(words: readonly string[]): ReadonlySet<Deed> {
  for (const [at, word] of words.entries()) {
    // “How do I cancel it” asks to cancel.
    if (word === "how" && /^(?:do|can|to|could|would|should)$/.test(words[at + 1] ?? "")) continue;
    const phrase = phraseAt(words, at);
    const deeds = (phrase === undefined ? undefined : deedsOf.get(phrase.phrase)) ?? deedsOf.get(word);
    if (deeds !== undefined) return deeds;
  }
  return new Set();
}

function asksForMany(words: readonly string[]): boolean {
  return words.some((word) => /^(?:list|all|which|every|many)$/.test(word) || (word.length > 3 && /[^s]s$/.test(word)));
}
