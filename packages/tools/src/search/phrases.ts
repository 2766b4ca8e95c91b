import { sameMeaning, phraseWords } from "./thesaurus.ts";
import { deedsOf } from "./verbs.ts";
import { stem } from "./stem.ts";

const MAX_PHRASE = 3;
/** How far a verb and its particle may be apart: `turn the music off`. */
const MAX_APART = 4;
const PARTICLES: ReadonlySet<string> = new Set("up out off down back over on away in".split(" "));

export function isPhrase(joined: string): boolean {
  return phraseWords.has(joined);
}

/** Words that mean something together, from there on; the longest. */
export function phraseAt(words: readonly string[], at: number): { readonly phrase: string; readonly last: number } | undefined {
  for (let length = MAX_PHRASE; length > 1; length--) {
    if (at + length > words.length) continue;
    const phrase = words.slice(at, at + length).join("");
    if (isPhrase(phrase)) return { phrase, last: at + length - 1 };
  }
  for (let next = at + 2; next <= at + MAX_APART && next < words.length; next++) {
    const particle = words[next] ?? "";
    if (!PARTICLES.has(particle)) continue;
    const phrase = `${words[at]}${particle}`;
    if (isPhrase(phrase)) return { phrase, last: at };
  }
  return undefined;
}
