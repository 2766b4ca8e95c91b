import { expect, test } from "vitest";
import { highlightLine } from "./highlight-line.ts";
import { markdownLines } from "./markdown-lines.ts";
import { chooseStyles, NO_STYLES } from "./styles.ts";

const plain = (source: string): string[] => markdownLines(source, NO_STYLES).map(({ text }) => text);

test.each([
  ["## A title ##", ["A title"]],
  ["- one\n  * two\n3. three", ["• one", "  • two", "3. three"]],
  ["> said", ["│ said"]],
  ["---", ["───"]],
  ["**bold** and __strong__, `co**de`", ["bold and strong, co**de"]],
  ["a ```ts block, then `code` and `` a`b ``", ["a ```ts block, then code and a`b"]],
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

const TABLE = "| Name | Stars |\n| --- | ---: |\n| **ada** | 7 |\n| a\\|b | 1200 |\nafter";

test("the columns of a table stand below each other, numbers to the right", () => {
  expect(plain(TABLE)).toEqual(["Name  Stars", "────  ─────", "ada       7", "a|b    1200", "after"]);
  expect(plain("a | b\n--|--\n漢字 | x\ny | z")).toEqual(["a     b", "────  ─", "漢字  x", "y     z"]);
});

test("a table that is too wide, and what only looks like one, stay as they were written", () => {
  const narrow = markdownLines(TABLE, NO_STYLES, 8).map(({ text }) => text);
  expect(narrow.slice(0, 2)).toEqual(["| Name | Stars |", "| --- | ---: |"]);
  for (const text of ["a | b", "a | b\nc | d", "a | b | c\n--|--\nx", "a\n---"])
    expect(plain(text).length, text).toBe(text.split("\n").length);
});

test("each line of a table is a line of its own, also while it is written", () => {
  const whole = TABLE.split("\n");
  for (let count = 1; count <= whole.length; count += 1)
    expect(plain(whole.slice(0, count).join("\n"))).toHaveLength(count);
});

test("comments, strings and words of the language are set off; nothing of the code is lost", () => {
  const marked = {
    ...NO_STYLES,
    code: (text: string) => text,
    soft: (text: string) => `<c>${text}</c>`,
    good: (text: string) => `<s>${text}</s>`,
    strong: (text: string) => `<w>${text}</w>`,
  };
  const shown = (language: string, code: string) => highlightLine(code, language, marked);
  expect(shown("ts", 'const a = "it\\"s // b"; // done')).toBe(
    '<w>const</w> a = <s>"it\\"s // b"</s>; <c>// done</c>',
  );
  expect(shown("sh", "if true; then echo '#1' # yes")).toBe(
    "<w>if</w> <w>true</w>; <w>then</w> echo <s>'#1'</s> <c># yes</c>",
  );
  expect(shown("unknown", "if x // y")).toBe("if x // y");
  expect(plain('```ts\nconst a = "b";\n```')).toEqual(["  ts", '  const a = "b";']);
  expect(markdownLines("```ts\nconst a = 1;\n```", marked).at(-1)?.text).toBe("  <w>const</w> a = 1;");
});
