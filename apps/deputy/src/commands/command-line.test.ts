import { expect, test } from "vitest";
import { withoutFarGuess } from "./command-line.ts";

const told = (given: string): string => `error: unknown option '${given}'`;
const guessing = (given: string, guess: string): string => `${told(given)}\n(Did you mean ${guess}?)`;

test.each([
  ["--session", "--version"],
  ["--mode", "--home"],
])("for %s, drops the guess %s", (given, guess) => {
  expect(withoutFarGuess(guessing(given, guess))).toBe(told(given));
});

test.each([
  ["--verison", "--version"],
  ["--aprove", "--approve"],
  ["--ersion", "--version"],
  ["lsit", "list"],
])("for %s, keeps the guess %s", (given, guess) => {
  expect(withoutFarGuess(guessing(given, guess))).toBe(guessing(given, guess));
});

test("leaves a message without a guess unchanged", () => {
  expect(withoutFarGuess("error: missing required argument 'prompt'")).toBe(
    "error: missing required argument 'prompt'",
  );
});
