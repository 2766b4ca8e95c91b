import { type Deed, deedsOf, deedsOfStem } from "./deeds.ts";
import type { SearchIndex } from "./search-index.ts";
import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";
import { brandNamespaces, emptyWords, endsThing, phraseAt, timeWords, synonymsOf } from "./words.ts";

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
export type Naming = "sure" | "by name" | "by brand" | "by part";

export interface Query {
  readonly concepts: readonly Concept[];
  /** The kinds of operation that its first verb may ask for; empty without a verb. */
  readonly deeds: ReadonlySet<Deed>;
  readonly namespaces: ReadonlyMap<string, Naming>;
  /** True if it is about the user's own things. */
  readonly own: boolean;
  /** The stem of what is wanted, or of what something is to be done with: `issue` in `open issues of a repository`. */
  readonly head: string | undefined;
  /** True if it asks what is in that, and not for itself: `what is on the board`. */
  readonly inside: boolean;
  /** The stem of its first verb, and the term of the concept that it belongs to: `call off` of `call`. */
  readonly verb: { readonly stem: string; readonly concept: string | undefined } | undefined;
  /** True if it asks for more than one of them. */
  readonly many: boolean;
}

type Names = Pick<SearchIndex, "namespaces" | "isWordOutside" | "isHouse" | "postingsOf">;

/** Only this much of a longer question is read. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 40;
/** Shorter ends of names are no words. */
const MIN_PART = 4;
const NUMBER = /^\p{N}+$/u;
/** `every monday`, `every two weeks`. */
const AGAIN: Concept = {
  term: stem("recurring"),
  weight: 1,
  synonyms: new Set(["schedule", "repeat", "recurrence"].map(stem)),
};
const NO_SYNONYMS: ReadonlySet<string> = new Set();
const INSIDE =
  /^(?:(?:show|tell|list|see) (?:me )?)?(?:whats?|anything|everything|things?)(?: is| are)?(?: there)? (?:in|on|inside) /;
const NO_DEEDS: ReadonlySet<Deed> = new Set();
const READ: ReadonlySet<Deed> = new Set(["read"]);

/** Words that ask for a person, a time or a number, or that merely ask. */
const VAGUE_WEIGHT = 0.35;
const VAGUE = new Set(
  "who whose whom when where much many someone somebody anyone anybody everyone everybody show see get tell give latest newest recent".split(
    " ",
  ),
);
const OWN = new Set(["i", "my", "me", "mine"]);

/** What a question asks for. It has no concepts if none of its words is meaningful. */
export function readQuery(text: string, names: Names): Query {
  const words = splitWords(text.slice(0, MAX_CHARS)).slice(0, MAX_WORDS);
  const namespaces = namespacesIn(words, names);
  const concepts = new Map<string, Concept>();
  const first = firstVerb(words);
  /** The first words about one thing; a preposition ends them. */
  let head: { readonly concept: Concept; readonly word: string } | undefined;
  let isHeadDone = false;
  let verbConcept: Concept | undefined;
  const put = (concept: Concept): void => {
    if (!concepts.has(concept.term)) concepts.set(concept.term, concept);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const phrase = phraseAt(words, at);
    const isVerb = at === first.at;
    if (phrase !== undefined) {
      const concept = { term: phrase.term, weight: 1, synonyms: phrase.synonyms };
      put(concept);
      if (isVerb) verbConcept = concept;
      at = phrase.last;
      if (!isHeadDone && !isVerb) head = { concept, word: words[at] ?? "" };
    } else if (word === "every" && timeWords.has(words[at + 1] ?? "")) {
      put(AGAIN);
    } else if (endsThing.has(word)) {
      isHeadDone ||= head !== undefined;
    } else if (namespaces.get(word) === "sure") {
      // What a service is called may be what it has: `what is on my calendar`.
      if (!isHeadDone && head === undefined)
        head = { concept: { term: stem(word), weight: 0, synonyms: NO_SYNONYMS }, word };
    } else if (!emptyWords.has(word) && !NUMBER.test(word)) {
      const term = stem(word);
      const weight = VAGUE.has(word) ? VAGUE_WEIGHT : 1;
      const concept = { term, weight, synonyms: synonymsOf.get(term) ?? NO_SYNONYMS };
      put(concept);
      if (isVerb) verbConcept = concept;
      if (!isHeadDone && !isVerb) head = { concept, word };
    }
  }
  const many = first.verb === "list" || (head !== undefined && isPlural(head.word));
  return {
    concepts: [...concepts.values()],
    // Who only names things, such as `latest commits`, wants to see them.
    deeds: first.deeds ?? (many ? READ : NO_DEEDS),
    namespaces,
    own: words.some((word) => OWN.has(word)),
    head: head?.concept.term,
    inside: INSIDE.test(words.join(" ")),
    verb: first.deeds === undefined ? undefined : { stem: stem(first.verb), concept: verbConcept?.term },
    many,
  };
}

/** Where the first verb is, and what it may ask for. */
function firstVerb(words: readonly string[]): {
  readonly at: number;
  readonly verb: string;
  readonly deeds: ReadonlySet<Deed> | undefined;
} {
  // The last of several words is what the others are about: `unread mail`, `latest release`.
  const isNoun = (at: number): boolean => at > 0 && at === words.length - 1;
  const at = words.findIndex((word, n) => deedsOf(word) !== undefined && !isNoun(n));
  if (at < 0) return { at, verb: "", deeds: undefined };
  const verb = words[at] ?? "";
  // `open issues` are issues; whoever opens one says so: `open an issue`.
  if (verb === "open" && isPlural(words[at + 1] ?? "")) return { at, verb, deeds: READ };
  // Who calls something off may mean to cancel it.
  const [meant = ""] = phraseAt(words, at)?.synonyms ?? [];
  return { at, verb, deeds: new Set([...(deedsOf(verb) ?? []), ...(deedsOfStem(meant) ?? [])]) };
}

function isPlural(word: string): boolean {
  return /[^su]s$/.test(word);
}

/** Services that are named by their namespace, or by what people call them. */
function namespacesIn(
  words: readonly string[],
  { namespaces, isWordOutside, isHouse, postingsOf }: Names,
): ReadonlyMap<string, Naming> {
  const found = new Map<string, Naming>();
  for (const word of words)
    if (namespaces.has(word) && !isHouse(namespaces.get(word)?.[0] ?? 0))
      found.set(word, isWordOutside(word, word) ? "by name" : "sure");
  if (found.size > 0) return found;
  for (const word of words)
    for (const name of brandNamespaces.get(word) ?? [])
      if (namespaces.has(name)) found.set(name, isWordOutside(name, word) ? "by brand" : "sure");
  if (found.size > 0) return found;
  for (const name of namespaces.keys())
    if (words.some((word) => isPartOf(word, name, postingsOf))) found.set(name, "by part");
  return found;
}

/** True if both end in the same word: `mail` and `email` in `gmail`, `calendar` in `googlecalendar`. */
function isPartOf(word: string, name: string, postingsOf: Names["postingsOf"]): boolean {
  for (let from = 1; from <= name.length - MIN_PART; from++) {
    const part = name.slice(from);
    if (word.endsWith(part)) return postingsOf(stem(part)) !== undefined;
  }
  return false;
}
