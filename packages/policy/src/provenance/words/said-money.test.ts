import { expect, test } from "vitest";
import { readMoney } from "./said-money.ts";

test.each([
  ["refund $1,100 to her", [1_100, 1.1]],
  ["the one over 98.70", [98.7]],
  ["98,70 €", [98.7]],
  ["50 euros and 7 dollars", [50, 7]],
  ["CHF 20, then", [20]],
  ["20€ or 30 $ or €40", [20, 30, 40]],
  ["pay 1200.50 or 7.25", [1_200.5, 7.25]],
  ["1 dollar, 2 euro, 3 pound, 4 francs", [1, 2, 3, 4]],
  ["eur 12.., 9usd", [12, 9]],
  ["EUR 1'000.50.", [1_000.5]],
])("[YP20] %j has the sums %j", (text, sums) => {
  expect(readMoney(text)).toEqual(sums);
});

test.each([
  "the first 5",
  "room 1100",
  "version 1.2.34",
  "in 2024",
  "10.505 of them",
  "thirteen",
  "usdx 5",
  "5 usdx",
  "a98.70",
  "xusd 5",
])("[YP20] %j has none", (text) => {
  expect(readMoney(text)).toEqual([]);
});
