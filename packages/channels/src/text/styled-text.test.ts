import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutRuns } from "./cut-runs.ts";
import { renderRuns, type Tags } from "./render-runs.ts";
import { type Run, type Style, styledText } from "./styled-text.ts";

/** Tags that show everything, to be read by eye. */
const BRACES: Tags = {
  open: (style) => `{${nameOf(style)}:`,
  close: () => "}",
  escape: (text) => text,
  allow: (styles) => styles,
};

function nameOf(style: Style): string {
  if (style.kind === "link") return `link ${style.url}`;
  return style.kind === "block" ? `block ${style.language}`.trim() : style.kind;
}

const show = (markdown: string): string => renderRuns(styledText(markdown), BRACES);

test.each([
  ["two words", "two words"],
  ["**bold** and *italic* and ~~gone~~", "{bold:bold} and {italic:italic} and {strike:gone}"],
  ["**bold *and italic***", "{bold:bold {italic:and italic}}"],
  ["# A title\ntext", "{bold:A title}\n\ntext"],
  ["`a*b*`", "{code:a*b*}"],
  ["```ts\nconst a = 1;\n```", "{block ts:const a = 1;}"],
  ["> said\n> so", "{quote:said\nso}"],
  ["- one\n- two\n  - inner", "• one\n• two\n   • inner"],
  ["3. three\n4. four", "3. three\n4. four"],
  ["- [x] done\n- [ ] open", "☑ done\n☐ open"],
  ["[here](https://example.com)", "{link https://example.com:here}"],
  ["[here](javascript:alert)", "here"],
  ["![a cat](https://example.com/c.png)", "{link https://example.com/c.png:a cat}"],
  ["<b>no</b> tags", "<b>no</b> tags"],
  ["| a | bcd |\n|---|---|\n| 1 | 2 |", "{block:a  bcd\n-  ---\n1  2}"],
  ["one\n\ntwo", "one\n\ntwo"],
  ["", ""],
])("[CH1] Markdown becomes text with styles: %j", (markdown, wanted) => {
  expect(show(markdown)).toBe(wanted);
});

const visible = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");
const lengthOf = (runs: readonly Run[]): number => renderRuns(runs, BRACES).length;

test("[CH2] a long text is cut between paragraphs, and styles go on in the next message", () => {
  const markdown = `${"first ".repeat(10)}\n\n**${"second ".repeat(20).trim()}**`;
  const messages = cutRuns(styledText(markdown), 100, lengthOf).map((runs) => renderRuns(runs, BRACES));
  expect(messages[0]).toBe("first ".repeat(10).trim());
  expect(messages.slice(1).every((text) => /^\{bold:second .*\}$/.test(text))).toBe(true);
});

const words = fc.constantFrom(
  "word",
  "**b**",
  "`c`",
  "\n\n",
  "\n",
  "é",
  "e\u0301",
  "👩‍👩‍👧",
  "字",
  "- x",
  "<",
  "&",
  "> ",
  "_",
  "```\n",
);
const markdowns = fc.array(words, { maxLength: 60 }).map((parts) => parts.join(" "));
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const countOf = (text: string): number => [...graphemes.segment(text.replace(/\s/g, ""))].length;

test("[CH2] whatever the text is, each message fits, nothing but blanks is lost, and no character is cut", () => {
  fc.assert(
    fc.property(markdowns, fc.integer({ min: 30, max: 80 }), (markdown, max) => {
      const runs = styledText(markdown);
      const messages = cutRuns(runs, max, lengthOf);
      const bare = (text: string): string => text.replace(/\s/g, "");
      expect(bare(messages.map(visible).join(""))).toBe(bare(visible(runs)));
      expect(messages.map((each) => countOf(visible(each))).reduce((a, b) => a + b, 0)).toBe(
        countOf(visible(runs)),
      );
      for (const message of messages) {
        expect(lengthOf(message)).toBeLessThanOrEqual(max);
        expect(visible(message).trim()).not.toBe("");
      }
    }),
  );
});

test("[CH1] any text at all is taken", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(() => styledText(text)).not.toThrow();
    }),
  );
});
