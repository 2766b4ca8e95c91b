import { wordsOf } from "../read-text.ts";

/** Names that a text marks as names, by quotes or by a word like "called". Others cannot guess them. */
export interface SaidNames {
  add(text: string): void;
  has(name: string): boolean;
}

const QUOTED =
  /"([^"\n]{1,120})"|“([^”\n]{1,120})”|„([^“”\n]{1,120})[“”]|«([^»\n]{1,120})»|‘([^’\n]{1,120})’|`([^`\n]{1,120})`|(?<![\p{L}\p{N}])'([^'\n]{1,120})'(?![\p{L}\p{N}])/gu;
const CALLED =
  /(?<!\p{L})(?:called|named|titled|entitled|labell?ed|subject)(?: is)?:? ([^.,;!?\n"“„«‘`]{1,120})/giu;
const LONGEST_NAME_WORDS = 12;

export function createSaidNames(): SaidNames {
  const names = new Set<string>();
  const keyOf = (words: readonly string[]): string => words.join(" ");
  return {
    add(text) {
      for (const [, ...quoted] of text.matchAll(QUOTED)) names.add(keyOf(wordsOf(quoted.join(""))));
      // Where such a name ends is not said.
      for (const [, called = ""] of text.matchAll(CALLED)) {
        const words = wordsOf(called).slice(0, LONGEST_NAME_WORDS);
        for (const at of words.keys()) names.add(keyOf(words.slice(0, at + 1)));
      }
    },
    has(name) {
      const key = keyOf(wordsOf(name));
      return key !== "" && names.has(key);
    },
  };
}
