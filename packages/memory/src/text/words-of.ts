import { plainFormOf, stem } from "@deputy/search/stem";

/** Writing without spaces between words: its characters and pairs of characters stand for the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Accents, and the points and strokes that Hebrew and Arabic can be written with or without. */
const OPTIONAL_MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu;
/** A longer one is no word that anybody looks for, but encoded data. */
const LONGEST_WORD = 64;

/** `Café-Rechnungen` → `cafe`, `rechnungen`: lower case, without marks that can be left out, not stemmed. */
export function plainWordsOf(text: string): string[] {
  const folded = text.normalize("NFKD").toLowerCase().replace(OPTIONAL_MARKS, "").normalize("NFC");
  if (folded.search(UNSPACED) === -1)
    return (folded.match(WORD) ?? []).filter((word) => word.length <= LONGEST_WORD);
  const words: string[] = [];
  for (const [run] of folded.matchAll(WORD)) {
    let from = 0;
    for (const unspaced of run.matchAll(UNSPACED)) {
      if (unspaced.index > from) words.push(run.slice(from, unspaced.index));
      words.push(unspaced[0]);
      from = unspaced.index + unspaced[0].length;
    }
    if (from < run.length) words.push(run.slice(from));
  }
  return words.filter((word) => isUnspaced(word) || word.length <= LONGEST_WORD);
}

/** The terms that a text is found by, in its order and as often as it has them. */
export function termsOf(text: string): string[] {
  return plainWordsOf(text).flatMap((word) => (isUnspaced(word) ? gramsOf(word) : [stem(word)]));
}

/** Those of the terms that a text has. Less work than all of its terms: hardly any word needs to be stemmed. */
export function termsAmong(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const initials = new Set(Array.from(wanted, (term) => term[0]));
  const found = new Set<string>();
  for (const word of new Set(plainWordsOf(text))) {
    // Stemming keeps how a word begins, except that of an irregular form.
    if (!isUnspaced(word) && !initials.has(plainFormOf(word)[0])) continue;
    for (const term of termsOf(word)) if (wanted.has(term)) found.add(term);
  }
  return found;
}

/** The terms that one word of a question looks for. */
export function termsOfWord(word: string): string[] {
  if (!isUnspaced(word)) return [stem(word)];
  const grams = gramsOf(word);
  const pairs = grams.filter((gram) => Array.from(gram).length === 2);
  return pairs.length > 0 ? pairs : grams;
}

function isUnspaced(word: string): boolean {
  return word.search(UNSPACED) === 0;
}

function gramsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.flatMap((character, at) => {
    const next = characters[at + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}
