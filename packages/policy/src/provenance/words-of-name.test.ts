import { expect, test } from "vitest";
import { wordsOfName } from "./words-of-name.ts";

test.each([
  ["userEmail", ["user", "email"]],
  ["user_email", ["user", "email"]],
  ["__User--email2__", ["user", "email2"]],
  ["URL", ["url"]],
  ["größeÄnderung", ["größe", "änderung"]],
  ["", []],
])("[YP11] the words of %j are %j", (name, words) => {
  expect(wordsOfName(name)).toEqual(words);
});
