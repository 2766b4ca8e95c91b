import { isPlainText } from "../value-forms.ts";
import englishWords from "./english-words.json" with { type: "json" };

const KNOWN: ReadonlySet<string> = new Set(englishWords.words.flatMap((line) => line.split(" ")));
const OF_OTHERS: ReadonlySet<string> = new Set(englishWords.otherLanguages);
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u;
/** Words; not addresses, numbers, names of files, or what was quoted. */
const WORD = /(?<![\p{L}\p{N}@._/#·'’-])\p{L}[\p{L}'’]*(?![\p{L}\p{N}@_/·]|[.'’-][\p{L}\p{N}])/gu;
const CAPITAL = /^\p{Lu}/u;
const UNIT_SIGN = /(?<=\d\s?)[µμΩ]/gu;
const LONGEST_UNIT = 3;
const LEAST_KNOWN = 2 / 3;

/**
 * True if a sentence is recognisably English: the rules for what is asked and refused are. Names, and what is in
 * quotes (dots), tell nothing; a sentence of such is taken for English. Takes time linear in the text.
 */
export function isEnglish(sentence: string): boolean {
  if (OTHER_SCRIPT.test(sentence.replaceAll(UNIT_SIGN, "u"))) return false;
  const hasLower = /\p{Ll}/u.test(sentence);
  let [known, all] = [0, 0];
  for (const { 0: found, index } of sentence.matchAll(WORD)) {
    const word = found.toLowerCase();
    if (OF_OTHERS.has(word)) return false;
    const isKnown = isEnglishWord(word);
    // A name, which may be of English words: "Mai cancellare Green Fork" is Italian.
    const isFirst = sentence.slice(0, index).trim() === "";
    if (hasLower && CAPITAL.test(found) && !(isKnown && isFirst)) continue;
    // "20 µl": a unit.
    if (word.length <= LONGEST_UNIT && /\d\s?$/.test(sentence.slice(Math.max(0, index - 2), index))) continue;
    // "Müller" is somebody, "für" is German.
    if (!isKnown && !isPlainText(found)) return false;
    all += 1;
    if (isKnown) known += 1;
  }
  return known >= all * LEAST_KNOWN;
}

export function isEnglishWord(word: string): boolean {
  const plain = word.replace(/['’].*$/, "");
  return (
    KNOWN.has(plain) ||
    stemsOf(plain).some((stem) => KNOWN.has(stem) || stemsOf(stem).some((one) => KNOWN.has(one)))
  );
}

/** What a word may be a form of: `emails`, `tries`, `planning`, `invited`, `quickly`. */
function stemsOf(word: string): readonly string[] {
  const ending = /(?:ies|ied|es|s|ing|ed|d|ly|er|est)$/.exec(word)?.[0];
  if (ending === undefined || word.length - ending.length < (ending === "ing" ? 3 : 2)) return [];
  const stem = word.slice(0, -ending.length);
  if (ending.startsWith("ie")) return [`${stem}y`];
  const stems = [stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")];
  return ending === "es" ? [...stems, word.slice(0, -1)] : stems;
}
