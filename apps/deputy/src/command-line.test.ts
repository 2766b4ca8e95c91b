import { expect, test } from "vitest";
import { withoutFarGuess } from "./command-line.ts";

const told = (given: string): string => `error: unknown option '${given}'`;
const guessing = (given: string, guess: string): string => `${told(given)}\n(Did you mean ${guess}?)`;

test.each([
  ["--session", "--version"],
  ["--mode", "--home"],
])("%s is not taken for %s", (given, guess) => {
  expect(withoutFarGuess(guessing(given, guess))).toBe(told(given));
});

test.each([
  ["--verison", "--version"],
  ["--aprove", "--approve"],
  ["--ersion", "--version"],
  ["lsit", "list"],
])("%s is taken for %s", (given, guess) => {
  expect(withoutFarGuess(guessing(given, guess))).toBe(guessing(given, guess));
});

test("what is no guess stays as it is", () => {
  expect(withoutFarGuess("error: missing required argument 'prompt'")).toBe(
    "error: missing required argument 'prompt'",
  );
});
