import { expect, test } from "vitest";
import { withoutMarks } from "./without-marks.ts";

test.each([
  [
    "## What I found There are **three** open in *acme/website*, see [the list](https://github.com/…",
    "What I found There are three open in acme/website, see the list",
  ],
  ["- one - `two`", "- one - two"],
  ["| a | b | | - | -: | | 1 | 2 |", "a b 1 2"],
  ["snake_case and 2 * 3, but _this_ is not", "snake_case and 2 * 3, but this is not"],
  ["![a picture](blob:1) of it", "a picture of it"],
])("[W55] what is found is shown as it is read: %s", (line, read) => {
  expect(withoutMarks(line)).toBe(read);
});
