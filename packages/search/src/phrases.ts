import { stem } from "./stem.ts";
import { phrases } from "./thesaurus.ts";

const MAX_WORDS = 4;
/** How far the two ends of a phrase may be apart: `turn the loud music off`. */
const MAX_APART = 6;
export interface Phrase {
  /** As one word. */
  readonly word: string;
  /** What may stand for it. */
  readonly meant: readonly string[];
  /** Its stems as one. */
  readonly term: string;
  /** Where the words side by side end. */
  readonly last: number;
}

/**
 * Words from there on that mean something together; the longest. Their endings do not matter: `turned off` is
 * `turn off`.
 */
export function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  for (let count = Math.min(MAX_WORDS, words.length - at); count > 1; count--) {
    const found = asPhrase(words.slice(at, at + count), at + count - 1);
    if (found !== undefined) return found;
  }
  for (const end of words.slice(at + 2, at + MAX_APART + 1)) {
    const found = asPhrase([words[at] ?? "", "…", end], at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function asPhrase(words: readonly string[], last: number): Phrase | undefined {
  const term = words.map(stem).join("");
  const meant = phrases.get(term);
  return meant === undefined
    ? undefined
    : { word: words.filter((word) => word !== "…").join(""), meant, term, last };
}
