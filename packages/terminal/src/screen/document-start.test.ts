import { expect, test } from "vitest";
import { DOCUMENT_START, isOf, linesAbove, startAfter } from "./chat-document.ts";
import { findWindowTop } from "./screen.ts";

const none = DOCUMENT_START.text;
const parts = [
  { lines: ["a1", "a2"], next: { block: 1, text: none } },
  { lines: ["b1"], next: { block: 2, text: none } },
  { lines: [""], next: { block: 2, text: { lines: 0, says: "c\nd\n" } } },
  { lines: ["c1", "c2"], next: { block: 2, text: { lines: 1, says: "c\nd\n" } } },
];

test.each([
  [0, DOCUMENT_START],
  [1, { carried: ["a2"], block: 1, text: none }],
  [2, { carried: [], block: 1, text: none }],
  [3, { carried: [], block: 2, text: none }],
  [5, { carried: ["c2"], block: 2, text: { lines: 1, says: "c\nd\n" } }],
  [99, { carried: [], block: 2, text: { lines: 1, says: "c\nd\n" } }],
])("after %d lines, the rest of a piece is carried over and the next begins", (count, start) => {
  expect(startAfter(parts, count, DOCUMENT_START)).toEqual(start);
});

test("lines above are those of the text they were written for, and of no other", () => {
  const start = { carried: [], block: 2, text: { lines: 1, says: "c\nd\n" } };
  expect(linesAbove({ kind: "assistant", text: "c\nd\ne" }, start)).toBe(1);
  expect(linesAbove({ kind: "assistant", text: "begun anew" }, start)).toBe(0);
  expect(linesAbove({ kind: "user", text: "c\nd\n" }, start)).toBe(0);
  expect(isOf("c\nd\n", none)).toBe(false);
});

const wide = "x".repeat(50);

test.each([
  // The cursor on the fourth row: three lines above it.
  [
    { lines: ["a", "b", "c", "d", "e"], cursorLine: 4, cursorRow: 4, columns: 60 },
    { line: 1, row: 1 },
  ],
  // The second takes two rows now, so the first has gone.
  [
    { lines: ["a", wide, "c", "d"], cursorLine: 3, cursorRow: 4, columns: 30 },
    { line: 1, row: 1 },
  ],
  // Only the last row of the second is left: it is not in the window from its beginning.
  [
    { lines: ["a", wide, "c", "d"], cursorLine: 3, cursorRow: 3, columns: 30 },
    { line: 2, row: 2 },
  ],
  // All of it is in the window, below what somebody else wrote.
  [
    { lines: ["a", "b"], cursorLine: 1, cursorRow: 9, columns: 60 },
    { line: 0, row: 8 },
  ],
  [
    { lines: [], cursorLine: 0, cursorRow: 1, columns: 60 },
    { line: 0, row: 1 },
  ],
])("the line at the top of the window: %j", (state, top) => {
  expect(findWindowTop(state)).toEqual(top);
});
