import { plainWordsOf, termsOf, termsOfWord } from "../text/words-of.ts";
import stopWords from "./stop-words.json" with { type: "json" };

/** Something that a text can contain: one term, or several in a row. */
export interface QueryTerm {
  /** As the index has them: `termsOf`. */
  readonly terms: readonly string[];
  /** As it was asked for. */
  readonly word: string;
  /** True for what must be looked for however many texts have it, such as an identifier. */
  readonly isExact: boolean;
}

export interface WordQuery {
  /** A text that has one of them matches; the more and the rarer, the better. */
  readonly terms: readonly QueryTerm[];
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  Object.values(stopWords).flatMap((words) => words.split(" ").flatMap(plainWordsOf)),
);
/** `INV-2024/17`, `user_id`, `anna@example.org`, `v2.1`; `don't` is none. */
const IDENTIFIER =
  /[\p{L}\p{N}]+(?:[-_./@:#]+[\p{L}\p{N}]+)+|[\p{L}]+\p{N}[\p{L}\p{N}]*|\p{N}+[\p{L}][\p{L}\p{N}]*/gu;
const QUOTED = /["“„]([^"”“]{2,200})["”“]/gu;
const MOST_TERMS = 64;
const MOST_CHARS = 4_000;

/** What a question asks for, by its words. Stop words count only if there is nothing else. */
export function readQuery(question: string): WordQuery {
  const text = question.slice(0, MOST_CHARS);
  const found = new Map<string, QueryTerm>();
  const add = (word: string, terms: readonly string[], isExact: boolean): void => {
    const key = terms.join(" ");
    const known = found.get(key);
    if (terms.length === 0 || (known?.isExact ?? false) || (known !== undefined && !isExact)) return;
    if (known === undefined && found.size >= MOST_TERMS) return;
    found.set(key, { terms, word, isExact });
  };
  for (const match of [...text.matchAll(QUOTED), ...text.matchAll(IDENTIFIER)]) {
    const word = match[1] ?? match[0];
    add(word, termsOf(word), true);
  }
  const words = plainWordsOf(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  for (const word of telling.length > 0 || found.size > 0 ? telling : words)
    for (const term of termsOfWord(word)) add(word, [term], false);
  return { terms: [...found.values()] };
}
