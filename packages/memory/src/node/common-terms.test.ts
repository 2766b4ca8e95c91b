import { expect, test } from "vitest";
import { createCommonTerms } from "./common-terms.ts";

test("[M3] common terms of a large index are counted once, until it has changed much; others each time", () => {
  const common = createCommonTerms();
  const counted: string[] = [];
  const ask = (texts: number, term: string, count: number): number =>
    common.countOf(term, texts, () => {
      counted.push(`${term} of ${texts}`);
      return count;
    });
  expect([ask(100, "the", 90), ask(100, "the", 90)]).toEqual([90, 90]);
  expect([ask(10_000, "the", 9_000), ask(10_100, "the", 9_050)]).toEqual([9_000, 9_000]);
  expect([ask(10_000, "boiler", 3), ask(10_000, "boiler", 4)]).toEqual([3, 4]);
  expect(ask(11_000, "the", 9_900)).toBe(9_900);
  expect(counted).toEqual([
    "the of 100",
    "the of 100",
    "the of 10000",
    "boiler of 10000",
    "boiler of 10000",
    "the of 11000",
  ]);
});
