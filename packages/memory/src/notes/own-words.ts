import { plainWordsOf } from "../text/words-of.ts";

/** True if every word of a text is among what was said. Nothing else counts: neither order nor case. */
export function hasOnlyWordsOf(text: string, said: readonly string[]): boolean {
  const known = new Set(said.flatMap(plainWordsOf));
  const words = plainWordsOf(text);
  // Text without words may say something all the same, in signs.
  return words.length > 0 && words.every((word) => known.has(word));
}

/** True if a text was said like that, in one go: the same words in the same order. */
export function isQuoteOf(text: string, said: readonly string[]): boolean {
  const wanted = ` ${plainWordsOf(text).join(" ")} `;
  return wanted.trim() !== "" && said.some((one) => ` ${plainWordsOf(one).join(" ")} `.includes(wanted));
}
