import { expect, test } from "vitest";
import { numberForm, readNumeral, readSpelled } from "./read-number.ts";

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
  ["$5", [5]],
  ["-$5", [-5]],
  ["$-5", [-5]],
  ["−5", [-5]],
  ["+5", [5]],
  ["5 €", [5]],
  ["5€", [5]],
  ["chf 5", [5]],
  ["5 usd", [5]],
  ["10%", [10, 0.1]],
  ["19.5%", [19.5, 0.195]],
  ["5k", [5_000]],
  ["5m", [5, 5_000_000]],
])("[YP2] %s may stand for %j", (text, numbers) => {
  expect(readNumeral(text)).toEqual(numbers);
});

test.each(["", "a", "1a", "1-2", "1..2", "1,2,3", "12:30", "k", "$", "1 000", "0x10", "1e3", "--5", "5%%"])(
  "[YP3] %j is no number",
  (text) => {
    expect(readNumeral(text)).toEqual([]);
  },
);

test("[YP2] a number has one form, however it was written", () => {
  expect(numberForm(12)).toBe("n:12");
  expect(numberForm(12.5)).toBe("n:12.5");
  expect(numberForm(-1)).toBe("n:-1");
});

test.each([
  ["two", 2, 1],
  ["twelve", 12, 1],
  ["thirteen", 13, 1],
  ["nineteen", 19, 1],
  ["twenty", 20, 1],
  ["ninety", 90, 1],
  ["twenty-five", 25, 1],
  ["twenty-one", 21, 1],
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
  "two-twenty",
  "ten-two",
  "twenty-ten",
  "twenty-five-six",
  "twenty-",
])("[YP3] %s spells no number", (text) => {
  expect(readSpelled(text.split(" "), 0)).toBeUndefined();
});

test("[YP2] it is read from the word asked for, and not without end", () => {
  expect(readSpelled(["pay", "seven"], 1)).toEqual({ value: 7, length: 1 });
  expect(readSpelled(["pay", "seven"], 0)).toBeUndefined();
  expect(readSpelled(Array<string>(20).fill("two"), 0)?.length).toBe(8);
});
