import * as fc from "fast-check";
import { expect, test } from "vitest";
import { changedWords, readHunks } from "./diff-lines.ts";

const DIFF = `--- a/notes.txt
+++ b/notes.txt
@@ -1,3 +1,4 @@
 one
-two cats
+two dogs
+and a half
 three
@@ -10,1 +11,1 @@
-- a list
++ a sum
`;

test("[W8] lines of a diff stand side by side under their own numbers", () => {
  const [first, second] = readHunks(DIFF);
  expect(first?.rows).toEqual([
    { kind: "same", before: { number: 1, text: "one" }, after: { number: 1, text: "one" } },
    { kind: "changed", before: { number: 2, text: "two cats" }, after: { number: 2, text: "two dogs" } },
    { kind: "changed", after: { number: 3, text: "and a half" } },
    { kind: "same", before: { number: 3, text: "three" }, after: { number: 4, text: "three" } },
  ]);
  expect(second?.rows).toEqual([
    { kind: "changed", before: { number: 10, text: "- a list" }, after: { number: 11, text: "+ a sum" } },
  ]);
});

test("[W8] the words by which two lines differ are marked, and nothing of the lines is lost", () => {
  expect(changedWords("two cats", "two dogs")).toEqual([
    [
      { text: "two ", isChanged: false },
      { text: "cats", isChanged: true },
    ],
    [
      { text: "two ", isChanged: false },
      { text: "dogs", isChanged: true },
    ],
  ]);
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const [old, now] = changedWords(before, after);
      expect(old.map(({ text }) => text).join("")).toBe(before);
      expect(now.map(({ text }) => text).join("")).toBe(after);
    }),
    { numRuns: 50 },
  );
});
