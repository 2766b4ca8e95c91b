import { expect, test } from "vitest";
import { createSaidNames } from "./said-names.ts";

function says(text: string, name: string): boolean {
  const names = createSaidNames();
  names.add(text);
  return names.has(name);
}

test.each([
  'the file "Big Plan" here',
  "the file “Big Plan” here",
  "the file „Big Plan“ here",
  "the file „Big Plan” here",
  "the file «Big Plan» here",
  "the file ‘Big Plan’ here",
  "the file `Big Plan` here",
  "the file 'Big Plan' here",
  "the file called Big Plan",
  "the file named: Big Plan, please",
  "titled big plan. Then go",
  "entitled Big Plan",
  "labelled Big Plan",
  "labeled Big Plan",
  "The subject is Big Plan of mine",
])("[YP7] %j marks Big Plan as a name", (text) => {
  expect(says(text, "Big Plan")).toBe(true);
});

test.each([
  "the file Big Plan",
  'the file "Bigger Plan"',
  'the file "Big\nPlan"',
  "don't be Big Plan's friend",
  "recalled Big Plan",
  "called. Big Plan",
  "called Bob, Big Plan",
  `"${"so ".repeat(50)} Big Plan"`,
])("[YP7] %j does not", (text) => {
  expect(says(text, "Big Plan")).toBe(false);
});

test("[YP7] where a name ends is not said, where it begins is; it has no more than twelve words", () => {
  const text = "the one called a b c d e f g h i j k l m";
  expect(["a", "a b", "a b c d e f g h i j k l"].map((name) => says(text, name))).toEqual([true, true, true]);
  expect(["b", "b c", "a b c d e f g h i j k l m"].map((name) => says(text, name))).not.toContain(true);
});

test("[YP7] words count as words, and nothing is no name", () => {
  expect(says('"big plan"', "bigplan")).toBe(false);
  expect(says('"..."', "...")).toBe(false);
});
