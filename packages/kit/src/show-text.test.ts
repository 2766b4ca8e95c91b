import * as fc from "fast-check";
import { expect, test } from "vitest";
import { longestBlanks, showOnOneLine, showText } from "./show-text.ts";

const BLANKS = {
  nothing: "",
  spaces: "  ",
  tabs: "\t",
  "no-break spaces": "\u00a0",
  "zero-width spaces": "\u200b",
  "zero-width joiners": "\u200d",
  "byte order marks": "\ufeff",
  "ideographic spaces": "\u3000",
  "Hangul fillers": "\u3164",
  "half-width Hangul fillers": "\uffa0",
  "empty braille": "\u2800",
  "carriage returns": "\r",
  "soft hyphens": "\u00ad",
  "empty notes": "\u{1d159}",
  "tag characters": "\u{e0020}",
  "variation selectors": "\ufe00",
  nulls: "\0",
};
const LINE_ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];

test.each(Object.entries(BLANKS))(
  "[K37] shows 300 lines of %s as one line with their number",
  (_name, blank) => {
    for (const end of LINE_ENDS) {
      const shown = showText(`ok${end}${(blank + end).repeat(300)}evil`);
      expect(shown).toMatch(
        /^ok\n\[… (?:300|600|30[01]) blank lines(?:, with \d+ hidden characters)? …\]\nevil$/,
      );
    }
  },
);

test("[K37] counts mixtures too, and long runs within a line", () => {
  expect(showText(`ls${" ".repeat(2_001)}; rm`)).toBe("ls[… 2001 blanks …]; rm");
  expect(showText(`ls${" \u00a0\u3164".repeat(20)}; rm`)).toBe(
    "ls[… 60 blanks, with 40 hidden characters …]; rm",
  );
  expect(showText(`ls${" \n\u200b\u2028".repeat(50)}rm`)).toMatch(/^ls\n\[… \d+ blank lines.*\]\nrm$/);
  expect(showOnOneLine(`a${"\n".repeat(300)}b`)).toBe("a [… 299 blank lines …] b");
  expect(longestBlanks(`a${"\n".repeat(300)}b${" ".repeat(50)}c`)).toBe("299 blank lines");
  expect(longestBlanks("a b\n\nc")).toBeUndefined();
});

test("[K37] leaves ordinary text unchanged", () => {
  for (const text of ["", "a\n\n\nb\n", `a\n${" ".repeat(39)}b`, "def f():\n\n\n\tpass\n", "a\n\n\n\nb"])
    expect(showText(text)).toBe(text);
  expect(showOnOneLine("a\n\tb")).toBe("a\\u{a}\\u{9}b");
});

test("[K37] keeps every character that is not blank, and leaves nothing invisible, in any text", () => {
  const unit = fc.constantFrom("a", "b", ...Object.values(BLANKS), ...LINE_ENDS, "\u202e", "\u2066", "😀");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
      const shown = showText(text);
      expect(shown.replace(/\[…[^\]]*…\]|\\u\{[^}]*\}|[^ab😀]/gu, "")).toBe(text.replace(/[^ab😀]/gu, ""));
      expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]/u);
      expect(shown).not.toMatch(/\n{5,}| {40,}/);
    }),
  );
});
