import { expect, test } from "vitest";
import { numberForm, readNumeral, readScaledWord, readSpelled } from "./read-number.ts";

test.each([
  ["12", [12]],
  ["12.00", [12]],
  ["0.01", [0.01]],
  ["1,000", [1_000, 1]],
  ["1,000.50", [1_000.5]],
  ["1,234,567", [1_234_567]],
  ["1'234'567.25", [1_234_567.25]],
  ["1’234,5", [1_234.5]],
  ["1.000", [1, 1_000]],
  ["1.234.567,89", [1_234_567.89]],
  ["98,70", [98.7]],
  ["12,345", [12_345, 12.345]],
  ["12.345", [12.345, 12_345]],
  ["12'345", [12_345]],
  ["1234,567", [1_234.567]],
  ["1234.567", [1_234.567]],
  ["$5", [5]],
  ["-$5", [-5]],
  ["$-5", [-5]],
  ["−5", [-5]],
  ["+5", [5]],
  ["5 €", [5]],
  ["5€", [5]],
  ["chf 5", [5]],
  ["chf5", [5]],
  ["5 usd", [5]],
  ["10%", [10, 0.1]],
  ["19.5%", [19.5, 0.195]],
  ["$5k", [5_000]],
  ["5k€", [5_000]],
  ["5k usd", [5_000]],
  ["€2.5m", [2_500_000]],
  ["$1.1bn", [1_100_000_000]],
  ["5m", [5]],
  ["12.3456789012345%", [12.3456789012345, 0.123456789012345]],
  ["999999999999999", [999_999_999_999_999]],
  ["0", [0]],
])("[YP2] %s may stand for %j", (text, numbers) => {
  expect(readNumeral(text)).toEqual(numbers);
});

test.each([
  "",
  "a",
  "1a",
  "1-2",
  "1..2",
  "1,2,3",
  "12:30",
  "k",
  "$",
  "1 000",
  "0x10",
  "1e3",
  "--5",
  "5%%",
  "5k",
  "5bn",
  "007",
  "0012345678",
  "00.5",
  "1234567890123456",
  "0.1000000000000000055",
  "61109010140000071219812874",
])("[YP3] %j is no number", (text) => {
  expect(readNumeral(text)).toEqual([]);
});

test("[YP2] a number has one form, however it was written", () => {
  expect(numberForm(12)).toBe("n:12");
  expect(numberForm(12.5)).toBe("n:12.5");
  expect(numberForm(-1)).toBe("n:-1");
});

test.each([
  ["twenty-five", 25, 1],
  ["twenty-one", 21, 1],
  ["twenty-nine", 29, 1],
  ["twenty five", 25, 2],
  ["two hundred", 200, 2],
  ["two hundred fifty", 250, 3],
  ["two hundred thousand", 200_000, 3],
  ["three thousand two hundred ten", 3_210, 5],
  ["five million", 5_000_000, 2],
  ["two people", 2, 1],
])("[YP2] %s is %i, in %i words", (text, value, length) => {
  expect(readSpelled(text.split(" "), 0)).toEqual({ value, length });
});

test.each([
  "one",
  "a",
  "hundred",
  "people",
  "people-two",
  "two-twenty",
  "ten-two",
  "twenty-ten",
  "twenty-five-six",
  "twenty-",
])("[YP3] %s spells no number", (text) => {
  expect(readSpelled(text.split(" "), 0)).toBeUndefined();
});

test("[YP2] the numbers below a hundred have their words", () => {
  const spell = (words: string): readonly (number | undefined)[] =>
    words.split(" ").map((word) => readSpelled([word], 0)?.value);
  expect(
    spell(
      "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    ),
  ).toEqual(Array.from({ length: 18 }, (_, at) => at + 2));
  expect(spell("twenty thirty forty fifty sixty seventy eighty ninety")).toEqual([
    20, 30, 40, 50, 60, 70, 80, 90,
  ]);
});

test("[YP2] it is read from the word asked for, and not without end", () => {
  expect(readSpelled(["pay", "seven"], 1)).toEqual({ value: 7, length: 1 });
  expect(readSpelled(["pay", "seven"], 0)).toBeUndefined();
  expect(readSpelled(Array<string>(20).fill("two"), 0)?.length).toBe(8);
});

test.each([
  ["n:5", "million", 5_000_000],
  ["n:2.5", "thousand", 2_500],
  ["n:1.1", "billion", 1_100_000_000],
  ["5k", "dollars", 5_000],
  ["5m", "euro", 5_000_000],
  ["5k", "run", undefined],
  ["n:5", "minutes", undefined],
  ["five", "million", undefined],
  ["n:5", undefined, undefined],
])("[YP2] %s before %s is %j", (word, next, value) => {
  expect(readScaledWord(word, next)).toBe(value);
});
