import { expect, test } from "vitest";
import { sourceExcerpt } from "./explain-diagnostics.ts";

test("[C71] shows the line with the place marked below", () => {
  expect(sourceExcerpt("a\nconst b = c;\nd", { line: 2, column: 11, chars: 1 })).toBe(
    "  2 | const b = c;\n    |           ^",
  );
  expect(sourceExcerpt("ab", { line: 1, column: 1, chars: 2 })).toBe("  1 | ab\n    | ^^");
});

test("[C71] marks the end of a line and an empty line too", () => {
  expect(sourceExcerpt("ab", { line: 1, column: 3, chars: 0 })).toBe("  1 | ab\n    |   ^");
  expect(sourceExcerpt("a\n\nb", { line: 2, column: 1, chars: 1 })).toBe("  2 |\n    | ^");
});

test("[C72] shows only the surroundings of the place in a long line", () => {
  const excerpt = sourceExcerpt(`${"a".repeat(300)}here${"b".repeat(300)}`, {
    line: 1,
    column: 301,
    chars: 4,
  });
  expect(excerpt).toBe(`  1 | …${"a".repeat(60)}here${"b".repeat(36)}…\n    | ${" ".repeat(61)}^^^^`);
});

test("[C71] shows invisible characters and tabs as one column, and the mark stays in place", () => {
  expect(sourceExcerpt("\tx = '\u202e' + y\r", { line: 1, column: 13, chars: 1 })).toBe(
    "  1 |  x = '\\u{202e}' + y\n    |                    ^",
  );
});
