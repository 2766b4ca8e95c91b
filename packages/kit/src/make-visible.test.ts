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
  ["lone surrogate", "\ud800", "\\u{d800}"],
])("[K26] shows a %s", (_what, char, shown) => {
  expect(makeVisible(`a${char}b`)).toBe(`a${shown}b`);
});

test("[K26] leaves ordinary text as it is", () => {
  const text = "Grüße, 世界! 👍 ❤️\n\tend";
  expect(makeVisible(text)).toBe(text);
});

test("[K26] nothing invisible is left, and doing it twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = makeVisible(text);
      expect(shown).not.toMatch(/[\p{Cf}\u2028\u2029]|(?![\n\t])\p{Cc}/u);
      expect(makeVisible(shown)).toBe(shown);
    }),
  );
});
