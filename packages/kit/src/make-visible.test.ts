import * as fc from "fast-check";
import { expect, test } from "vitest";
import { makeVisible } from "./make-visible.ts";

test.each([
  ["right-to-left override", "\u202e", "\\u{202e}"],
  ["zero-width space", "\u200b", "\\u{200b}"],
  ["byte order mark", "\ufeff", "\\u{feff}"],
  ["tag letter", "\u{e0041}", "\\u{e0041}"],
  ["no-break space", "\u00a0", "\\u{a0}"],
  ["escape", "\u001b[31m", "\\u{1b}[31m"],
  ["carriage return", "\r", "\\u{d}"],
  ["line separator", "\u2028", "\\u{2028}"],
  ["Hangul filler", "\u3164", "\\u{3164}"],
  ["braille blank", "\u2800", "\\u{2800}"],
  ["variation selector", "\ufe01", "\\u{fe01}"],
  ["variation selector that makes no emoji", "\ufe0f", "\\u{fe0f}"],
  ["private use character", "\ue000", "\\u{e000}"],
  ["soft hyphen", "\u00ad", "\\u{ad}"],
  ["lone surrogate", "\ud800", "\\u{d800}"],
])("[K26] shows a %s", (_what, char, shown) => {
  expect(makeVisible(`a${char}b`)).toBe(`a${shown}b`);
});

test("[K26] leaves ordinary text unchanged", () => {
  const text = "Grüße, 世界! 👍 ❤️ 1️⃣\n\tend";
  expect(makeVisible(text)).toBe(text);
});

test("[K26] shows every invisible character of Unicode", () => {
  const shapeless = /^(?:\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Variation_Selector})$/u;
  const missed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    if (char === "\n" || char === "\t" || !shapeless.test(char)) continue;
    const shown = `a\\u{${code.toString(16)}}b`;
    if (makeVisible(`a${char}b`) !== shown) missed.push(code.toString(16));
  }
  expect(missed).toEqual([]);
});

test("[K26] leaves nothing invisible, and is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = makeVisible(text);
      expect(shown).not.toMatch(/[\p{Cf}\u2028\u2029]|(?![\n\t])\p{Cc}/u);
      expect(makeVisible(shown)).toBe(shown);
    }),
  );
});
