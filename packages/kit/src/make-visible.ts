const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Words joined like an address, or a single word. */
const PLACES = /[\p{L}\p{M}\p{N}.@:/_-]+/gu;
const LATIN = /\p{Script=Latin}/u;
/**
 * Scripts with many letters that look like Latin ones. Of Greek, which formulas mix with Latin, only the
 * letters that look alike count.
 */
const TAKEN_FOR_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυ]/u;
/** Letters that look exactly like Latin ones. */
const TWINS = /^[асеорхуіјѕԁһӏԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυ]{2,}$/u;
const LAST_LATIN_1 = 0xff;

/**
 * Words that could be mistaken for others: Latin mixed with look-alike letters of other scripts, letters that
 * only look plain (`ｐａｙ`), and in addresses whole words of look-alikes. Each once, at most `most`. Ignores
 * words that are entirely in one other script.
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

/**
 * Shows what a reader could not see or could be fooled by: control characters other than line ends and tabs,
 * bidirectional controls, zero-width, filler and tag characters, odd spaces, lone surrogates. Each becomes
 * `\u{…}`, which means the same inside a string literal. Emoji stay whole unless they are joined; a variation
 * selector stays only where it makes one.
 */
export function makeVisible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

const HIDDEN =
  /(?![\n\t ])(?!(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f\u20e3)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;
