import { stem } from "./stem.ts";
import brands from "./words/brands.json" with { type: "json" };
import grammar from "./words/empty-words.json" with { type: "json" };
import synonyms from "./words/synonyms.json" with { type: "json" };

/** Words without meaning for a search, neither in a question nor in a tool. */
export const emptyWords: ReadonlySet<string> = new Set(Object.values(grammar).flatMap(wordsOf));

/** Days, parts of a day and units of time. */
export const timeWords: ReadonlySet<string> = new Set([
  ...wordsOf(grammar.time),
  ...wordsOf("minute hour day weekday weekend month quarter year minutes hours days weeks months years"),
]);

/** Prepositions and auxiliary verbs: after them, another thing is named. */
export const endsThing: ReadonlySet<string> = new Set(
  wordsOf(
    "of in on at by for from with about into onto to as that is are was were do does did has have can and or via",
  ),
);

/** What people call a service or a part of it, and the namespaces that its tools may have. */
export const brandNamespaces: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(brands).map(([brand, namespaces]) => [brand, wordsOf(namespaces)]),
);

/** By the stem of an everyday word: the stems of what interfaces call it. */
export const synonymsOf: ReadonlyMap<string, ReadonlySet<string>> = gatherWords();

/** The second word of a phrase, which may stand apart from the first, as in `turn the music off`. */
const PARTICLES = new Set(wordsOf("up out off down back over on away in into know again"));
/** Words that may stand between the two words of such a phrase. */
const APART = "…";
const MAX_PHRASE_WORDS = 4;
/** How far the two may be apart: `turn the loud music off`. */
const MAX_APART = 6;
const phrases: ReadonlyMap<string, ReadonlySet<string>> = gatherPhrases();

export interface Phrase {
  /** Its stems as one word. */
  readonly term: string;
  /** Stems of what interfaces call it. */
  readonly synonyms: ReadonlySet<string>;
  /** Where the adjacent words end. */
  readonly last: number;
}

/** The longest phrase that begins there, with any endings: `turned off` is `turn off`. */
export function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  for (let count = Math.min(MAX_PHRASE_WORDS, words.length - at); count > 1; count--) {
    const term = termOf(words.slice(at, at + count));
    const found = phrases.get(term);
    if (found !== undefined) return { term, synonyms: found, last: at + count - 1 };
  }
  for (const end of words.slice(at + 2, at + MAX_APART + 1)) {
    const found = phrases.get(termOf([words[at] ?? "", APART, end]));
    if (found !== undefined) return { term: termOf([words[at] ?? "", end]), synonyms: found, last: at };
  }
  return undefined;
}

function gatherWords(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [said, meant] of Object.entries(synonyms))
    if (!said.includes(" ")) addStems(found, stem(said), meant);
  return found;
}

function gatherPhrases(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [said, meant] of Object.entries(synonyms)) {
    const words = said.split(" ");
    if (words.length === 1) continue;
    addStems(found, termOf(words), meant);
    const [first = "", last = ""] = words;
    if (words.length === 2 && PARTICLES.has(last)) addStems(found, termOf([first, APART, last]), meant);
  }
  return found;
}

function addStems(found: Map<string, Set<string>>, term: string, meant: string): void {
  const stems = found.get(term) ?? new Set();
  for (const word of wordsOf(meant)) if (stem(word) !== term) stems.add(stem(word));
  found.set(term, stems);
}

function termOf(words: readonly string[]): string {
  return words.map(stem).join("");
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ");
}
