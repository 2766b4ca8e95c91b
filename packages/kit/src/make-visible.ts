/**
 * Shows what a reader could not see or could be fooled by: control characters other than line ends
 * and tabs, bidirectional controls, zero-width, filler and tag characters, odd spaces, lone surrogates.
 * Each becomes `\u{…}`, which inside a string literal still means the same. Emoji stay whole unless
 * they are joined; a variation selector stays only where it makes one.
 */
export function makeVisible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

const HIDDEN =
  /(?![\n\t ])(?!(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f\u20e3)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
