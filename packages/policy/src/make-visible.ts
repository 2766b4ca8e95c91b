/**
 * Shows what a reader could not see or could be fooled by: control characters other than line ends
 * and tabs, bidirectional controls, zero-width and tag characters, odd spaces, lone surrogates.
 * Each becomes `\u{…}`.
 */
export function makeVisible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

const HIDDEN = /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2028\u2029]|(?![\n\t])\p{Cc}|(?! )\p{Zs}/gu;
