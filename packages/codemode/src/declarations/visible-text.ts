/**
 * Everything a reader would not see: controls, bidirectional overrides, zero-width and tag characters,
 * filler letters, and the variation selectors that can carry hidden bytes (not U+FE0F, which emoji use).
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u034f|[\u115f\u1160]|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;

/** Replaces invisible characters by `\u{…}`, also inside string literals, where that means the same. */
export function makeVisible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
