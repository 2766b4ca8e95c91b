import * as fc from "fast-check";
import { growthOf, LINEAR } from "@deputy/testing/growth";
import { expect, test } from "vitest";
import { compileGlob } from "./line-pattern.ts";
import { compilePattern } from "./line-pattern.ts";

const atom = fc.constantFrom(
  "a",
  "b",
  "A",
  ".",
  "\\d",
  "\\w",
  "\\s",
  "[ab]",
  "[^a]",
  "[a-c1]",
  "\\b",
  "^",
  "$",
  "ä",
  "-",
  "😀",
  "\\.",
);
const pattern = fc.letrec<{ choice: string; sequence: string; repeat: string }>((tie) => ({
  choice: fc.oneof(
    { weight: 3, arbitrary: tie("sequence") },
    fc.tuple(tie("sequence"), tie("sequence")).map((parts) => parts.join("|")),
  ),
  sequence: fc.array(tie("repeat"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  repeat: fc
    .tuple(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { weight: 4, arbitrary: atom },
        tie("choice").map((inner) => `(${inner})`),
        tie("choice").map((inner) => `(?:${inner})`),
      ),
      fc.constantFrom("", "", "", "*", "+", "?", "*?", "{2}", "{1,3}", "{0,2}", "{2,}"),
    )
    .map(([of, mark]) => (/^(?:\^|\$|\\b)$/.test(of) ? of : of + mark)),
})).choice;
const line = fc
  .array(fc.constantFrom("a", "b", "A", "c", "1", " ", "ä", "Ä", "-", ".", "😀", "_"), { maxLength: 12 })
  .map((chars) => chars.join(""));

test("[K35] finds the same lines as JavaScript's own expressions", () => {
  fc.assert(
    fc.property(pattern, line, fc.boolean(), (source, text, anyCase) => {
      const own = compilePattern(source, anyCase ? "any-case" : "exact");
      expect(own.test(text)).toBe(new RegExp(source, anyCase ? "iu" : "u").test(text));
    }),
    { numRuns: 5_000 },
  );
});

test.each(["(a+)+$", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)(.*)[^a]x", "(a?){40}a{40}b"])(
  "[K35] a pattern that would take other engines years takes linear time: %s",
  (source) => {
    const compiled = compilePattern(source);
    const growth = growthOf((size) => expect(compiled.test(`${"a".repeat(size)}!`)).toBe(false), 5_000);
    expect(growth).toBeLessThan(LINEAR);
  },
);

test.each([
  "(?=a)",
  "(?<!a)b",
  "(a)\\1",
  "\\k<x>",
  "a**",
  "*",
  "(",
  ")",
  "[a",
  "a{3,2}",
  "[b-a]",
  "\\",
  "a{1001}",
  "((((a{50}){50}){50}){50})",
  "\\p{L}",
  "x".repeat(1_001),
])("[K35] refuses patterns that it cannot read or cannot match in linear time: %s", (source) => {
  expect(() => compilePattern(source)).toThrow(expect.objectContaining({ code: "pattern_invalid" }));
});

test("[K35] knows a literal that every match contains", () => {
  expect(compilePattern("^\\s*TODO: (a|b)").literal).toBe("TODO: ");
  expect(compilePattern("a|b").literal).toBe("");
  expect(compilePattern("ab+c").literal).toBe("a");
  expect(compilePattern("TODO", "any-case").literal).toBe("");
});

test.each([
  ["*.md", ["a.md", ".md"], ["a/b.md", "a.mdx", "amd"]],
  ["**/*.md", ["a.md", "a/b.md", "a/b/c.md"], ["a.txt"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "srcs/a"]],
  ["src/**/test/*.ts", ["src/test/a.ts", "src/a/b/test/c.ts"], ["src/a/test/b/c.ts"]],
  ["a?c.{ts,tsx}", ["abc.ts", "axc.tsx"], ["a/c.ts", "abc.js", "abbc.ts"]],
  ["[a-c]*.t[!x]t", ["apple.tst", "c.tyt"], ["d.tst", "a.txt"]],
  ["(a+b).$^|", ["(a+b).$^|"], ["aab.$^|"]],
  ["a\\*b,c", ["a*b,c"], ["axb,c"]],
] as const)("[K35] the glob %s", (glob, fits, others) => {
  const matches = compileGlob(glob);
  expect(fits.filter((path) => !matches(path))).toEqual([]);
  expect(others.filter((path) => matches(path))).toEqual([]);
});
