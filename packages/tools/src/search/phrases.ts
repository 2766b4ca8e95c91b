import { phrases } from "./thesaurus.ts";

const MAX_WORDS = 3;
/** How far a verb and its particle may be apart: `turn the loud music off`. */
const MAX_APART = 4;
const PARTICLES: ReadonlySet<string> = new Set(
  "up out off down back over on away in into know again".split(" "),
);

/** Words from there on that mean something together, in one word, and where those side by side end; the longest. */
export function phraseAt(
  words: readonly string[],
  at: number,
): { readonly phrase: string; readonly last: number } | undefined {
  for (let count = Math.min(MAX_WORDS, words.length - at); count > 1; count--) {
    const phrase = words.slice(at, at + count).join("");
    if (phrases.has(phrase)) return { phrase, last: at + count - 1 };
  }
  for (const particle of words.slice(at + 2, at + MAX_APART + 1)) {
    const phrase = `${words[at]}${particle}`;
    if (PARTICLES.has(particle) && phrases.has(phrase)) return { phrase, last: at };
  }
  return undefined;
}
