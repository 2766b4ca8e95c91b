import * as fc from "fast-check";
import { expect, test } from "vitest";
import { shortenType } from "./shorten-type.ts";

test("[C72] keeps a type that fits, without noise", () => {
  expect(shortenType("{ a: string; b?: number | undefined; }", 80)).toBe("{ a: string; b?: number }");
  expect(shortenType("{ a?: { b?: string | undefined; } | undefined; }", 80)).toBe("{ a?: { b?: string } }");
  expect(shortenType("{ a: string | undefined; }", 80)).toBe("{ a: string | undefined }");
  expect(shortenType('import("/cell/3/cell").Row', 80)).toBe("Row");
});

test("[C72] keeps the first parts of a union and counts the others", () => {
  const union = Array.from({ length: 300 }, (_, n) => `"metric_${n}"`).join(" | ");
  expect(shortenType(union, 60)).toBe('"metric_0" | "metric_1" | "metric_2" | "metric_3" | … 296 more');
  expect(shortenType('"alpha" | "bravo" | "charlie" | ... 287 more ... | "zulu"', 40)).toBe(
    '"alpha" | "bravo" | "charlie" | … 288 more',
  );
});

test("[C72] does the same with members of nested objects, and with arguments", () => {
  expect(
    shortenType("{ id: number; title: string; state: string; labels: string[]; body: string; }", 40),
  ).toBe("{ id: number; title: string; … 3 more }");
  expect(shortenType("Promise<{ id: number; title: string; state: string; labels: string[] }[]>", 50)).toBe(
    "Promise<{ id: number; title: string; … 2 more }[]>",
  );
  expect(
    shortenType("(first: { a: string; b: string; c: string }, second: number) => Promise<void>", 60),
  ).toBe("(first: { a: string; … 2 more }, … 1 more) => Promise<void>");
});

test("[C72] ignores brackets and separators in strings", () => {
  expect(shortenType('"a | b" | "{" | "\\"; }" | "zzzzzzzzzzzzzzzzzzzz" | "y"', 30)).toBe(
    '"a | b" | "{" | "\\"; }" | … 2 more',
  );
});

test("[C72] shortens any text to the limit, with a little slack", () => {
  const piece = fc.constantFrom(
    "{ ",
    " }",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    " | ",
    "; ",
    ", ",
    "a: ",
    '"',
    "`",
    "\\",
    " => ",
    "…",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), fc.integer({ min: 1, max: 200 }), (pieces, maxChars) => {
      expect(shortenType(pieces.join(""), maxChars).length).toBeLessThanOrEqual(maxChars + 48);
    }),
    { numRuns: 1_000 },
  );
});
