import { expect, test } from "vitest";
import { markdownLines } from "./markdown-lines.ts";
import { chooseStyles, NO_STYLES } from "./styles.ts";

const plain = (source: string): string[] => markdownLines(source, NO_STYLES).map(({ text }) => text);

test.each([
  ["## A title ##", ["A title"]],
  ["- one\n  * two\n3. three", ["• one", "  • two", "3. three"]],
  ["> said", ["│ said"]],
  ["---", ["───"]],
  ["**bold** and __strong__, `co**de`", ["bold and strong, co**de"]],
  ["[text](https://a.example) and [https://b](https://b)", ["text (https://a.example) and https://b"]],
  ["a [b [c](javascript:x) d", ["a [b c (javascript:x) d"]],
  ["```ts\nconst a = `**x**`;\n```\nafter", ["  ts", "  const a = `**x**`;", "after"]],
  ["````\n```\n````\nafter", ["  ```", "after"]],
  ["```\nnever closed", ["  never closed"]],
  ["2 * 3 * 4 and snake_case_name", ["2 * 3 * 4 and snake_case_name"]],
])("%j is shown as %j", (source, lines) => {
  expect(plain(source)).toEqual(lines);
});

test("what is broken goes on below its own beginning", () => {
  expect(markdownLines("  10. item", NO_STYLES)).toEqual([{ text: "  10. item", hang: "      " }]);
});

test("styles are set with NO_COLOR empty, and not with anything in it", () => {
  expect(chooseStyles({ NO_COLOR: "" }).strong("x")).toBe("\u001b[1mx\u001b[22m");
  expect(chooseStyles({ NO_COLOR: "1" })).toBe(NO_STYLES);
});
