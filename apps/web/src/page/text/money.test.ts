import { expect, test } from "vitest";
import { money } from "./money.ts";

test.each([
  [0, "$0.00"],
  [0.00411, "$0.0041"],
  [0.0099, "$0.0099"],
  [0.0149, "$0.01"],
  [1_234.5, "$1,234.50"],
])("[W10] %d dollars are %s", (amount, expected) => {
  expect(money({ amount, currency: "USD" })).toBe(expected);
});
