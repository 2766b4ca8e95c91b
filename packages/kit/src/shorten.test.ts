import { expect, test } from "vitest";
import { cutText, shorten } from "./shorten.ts";

test("[K41] a text that fits stays, a longer one ends with “…” and says so", () => {
  expect(shorten("hello", 5)).toBe("hello");
  expect(shorten("hello!", 5)).toBe("hello…");
  expect(shorten("", 0)).toBe("");
  expect(cutText("hello!", 5)).toBe("hello");
});

test("[K41] no character is cut in half", () => {
  expect(shorten("ab😀cd", 3)).toBe("ab…");
  expect(shorten("ab😀cd", 4)).toBe("ab😀…");
  expect(cutText("😀", 1)).toBe("");
});
