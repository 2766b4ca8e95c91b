const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Words joined like an address, or a single word. */
const PLACES = /[\p{L}\p{M}\p{N}.@:/_-]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with many letters that look like Latin ones; of Greek, which formulas mix with Latin, only those letters. */
const TAKEN_FOR_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυ]/u;
/** Letters that look exactly like Latin ones. */
const TWINS = /^[асеорхуіјѕԁһӏԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυ]{2,}$/u;
const LAST_LATIN_1 = 0xff;

/**
 * Words of a text that could be taken for others: Latin mixed with letters of other scripts that look
 * alike, letters that only look like plain ones (`ｐａｙ`), and in addresses whole words of twins. Each once,
 * at most `most`. Says nothing of words that are all of one other script.
 */
export function findLookAlikes(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  const note = (word: string): void => void (found.size < most && found.add(word));
  for (const [word] of text.matchAll(WORDS)) if (isMixed(word) || isDressedUp(word)) note(word);
  for (const [place] of text.matchAll(PLACES)) {
    if (!LATIN.test(place)) continue;
    for (const word of place.match(WORDS) ?? []) if (TWINS.test(word)) note(word);
  }
  return [...found];
}

/** A word with its letters outside of ASCII as `\u{…}`. */
export function spellOut(word: string): string {
  return word.replace(/[^\0-\x7f]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

function isMixed(word: string): boolean {
  return LATIN.test(word) && TAKEN_FOR_LATIN.test(word);
}

function isDressedUp(word: string): boolean {
  for (const char of word) {
    if ((char.codePointAt(0) ?? 0) <= LAST_LATIN_1) continue;
    if (/^[A-Za-z0-9]+$/.test(char.normalize("NFKC"))) return true;
  }
  return false;
}
