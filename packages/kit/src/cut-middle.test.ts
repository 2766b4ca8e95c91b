import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutMiddle } from "./cut-middle.ts";

const ROOM = {
  whole: { chars: 100, lines: 6 },
  head: { chars: 50, lines: 3 },
  tail: { chars: 30, lines: 2 },
} as const;

test("[K38] keeps a short text; shows both ends of a long one and how much is missing", () => {
  expect(cutMiddle("x".repeat(100), ROOM)).toEqual({ text: "x".repeat(100), left: 0 });
  expect(cutMiddle(`${"x".repeat(500)}the end`, ROOM)).toEqual({
    text: `${"x".repeat(50)}\n[… 427 characters left out …]\n${"x".repeat(23)}the end`,
    left: 427,
  });
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\n");
  expect(cutMiddle(lines, ROOM).text).toBe(
    "line 0\nline 1\nline 2\n[… 194 characters in 26 lines left out …]\nline 28\nline 29",
  );
});

test("[K38] any text keeps its ends, has its gap counted, and no character is cut in half", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "😀", "\n", " "), maxLength: 600 }), (text) => {
      const { text: shown, left } = cutMiddle(text, ROOM);
      expect(shown.isWellFormed()).toBe(true);
      if (left === 0) expect(shown).toBe(text);
      if (left === 0) return;
      const [head = "", tail = ""] = shown.split(/\n\[… \d+ characters[^\]]*left out …\]\n/);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(head.length + tail.length + left).toBe(text.length);
    }),
  );
});
