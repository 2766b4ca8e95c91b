import * as fc from "fast-check";
import { expect, test } from "vitest";
import { codesOf } from "./detector.fixture.ts";

const RUN = "<script>run()</script>";
const isHidden = (text: string): boolean => codesOf(text).length === 0;

test.each([
  ["plain", `\`\`\`\n${RUN}\n\`\`\``],
  ["of tildes", `~~~\n${RUN}\n~~~`],
  ["with an info string", `\`\`\`html title="a"\n${RUN}\n\`\`\``],
  ["never closed", `\`\`\`\n${RUN}`],
  ["indented", `   \`\`\`\n${RUN}\n   \`\`\``],
  ["in a list", `- a\n\n      \`\`\`\n      ${RUN}\n      \`\`\``],
  ["at a bullet", `- \`\`\`\n  ${RUN}\n  \`\`\``],
  ["at a number", `12) \`\`\`\n    ${RUN}\n    \`\`\``],
  ["behind a tab", `\t\`\`\`\n\t${RUN}\n\t\`\`\``],
  ["in a quote", `> \`\`\`\n> ${RUN}\n> \`\`\``],
  ["in a quote in a quote", `> > ~~~\n> > ${RUN}\n> > ~~~`],
  ["with a shorter one in it", `\`\`\`\`\n\`\`\`\n\`\`\`\n${RUN}\n\`\`\`\``],
  ["with one of the other sign in it", `~~~\n\`\`\`\n\`\`\`\n${RUN}\n~~~`],
  ["with one that has words behind it", `\`\`\`\n\`\`\` not closed\n${RUN}\n\`\`\``],
  ["with one too far in", `\`\`\`\n    \`\`\`\n${RUN}\n\`\`\``],
  ["with a quoted one in it", `\`\`\`\n> \`\`\`\n${RUN}\n\`\`\``],
  ["with a backslash before one", `\`\`\`\n\\\`\`\`\n${RUN}\n\`\`\``],
  ["in the middle of a line", `Sure: \`\`\`js\n\n${RUN}\n\`\`\``],
  ["after an open span", `\`a\n\`\`\`\n${RUN}\n\`\`\``],
])("[D6] a fenced block %s hides a tag", (_what, block) => {
  expect(isHidden(`Look:\n\n${block}`)).toBe(true);
});

test.each([
  ["its fence", "```\na\n```"],
  ["a longer fence", "```\na\n`````  "],
  ["a fence further out", "- a\n  ```\n  b\n```"],
  ["a fence further in", "```\na\n   ```\t"],
  ["a fence at once", "```\n```"],
  ["the end of its quote", "> ```\n> a"],
  ["an empty line after its quote", "> ```\n\n"],
  ["the fence of one in the middle of a line", "Sure: ```js\na\n\n```"],
])("[D6] %s ends a block", (_what, block) => {
  expect(codesOf(`${block}\n${RUN}`)).toEqual(["run()"]);
});

test("[D6] a block ends with its quote, even if another quote follows", () => {
  expect(codesOf(`> \`\`\`\n\n> ${RUN}`)).toEqual(["run()"]);
});

test("[D6] an info string hides a tag, and a fence with one does not close", () => {
  expect(isHidden(`~~~ ${RUN}\n~~~`)).toBe(true);
  expect(isHidden(`\`\`\` ${RUN}\n\`\`\``)).toBe(true);
  expect(isHidden(`~~~\n~~~ ${RUN}\n`)).toBe(true);
});

test.each([
  `\`${RUN}\``,
  `\`\`a\`${RUN}\`\``,
  `\`\`\`\`a\`\`\`${RUN}\`\`\`\``,
  `\`\`\`a ${RUN}\`\`\` b`,
  `a \`b\nc ${RUN} d\``,
  `> a \`b\n> c ${RUN} d\``,
  `\`\\\`\`${RUN}\``,
  `\`a\n2. ${RUN}\``,
  `\`a\n     ${RUN}\``,
  `\`a\n-${RUN}\``,
  `a \` b ${RUN}`,
  `a \`\` b \` c \` ${RUN}`,
])("[D7] %j hides its tag", (text) => {
  expect(isHidden(text)).toBe(true);
});

test.each([
  ["its backticks", "`a` "],
  ["as many backticks", "``a`b`` "],
  ["as many backticks in the next line", "`a\nb` "],
  ["as many backticks at the beginning of a line", "``a`b\n`` "],
  ["as many backticks as its line began with", "```a`b``` "],
  ["a blank line", "a ` b\n \t\nc "],
  ["a bullet", "- a ` b\n- c "],
  ["a line that begins with a tag", "a ` b\n"],
  ["a line that begins with a tag, after backticks that are no fence", "a ```b`c\n"],
  ["a quoted line that begins with a tag", "> a ` b\n> "],
  ["a block", "a ` b\n~~~\n~~~\nc "],
])("[D7] %s ends a span", (_what, before) => {
  expect(codesOf(before + RUN)).toEqual(["run()"]);
});

test.each(["\\` ", "\\`a\\` ", "\\``a` ", "``\\`` ", "~ ~~ ", "a ~~~ ", "~~\n", "\\\\\\` "])(
  "[D7] after %j no span is open",
  (before) => {
    expect(codesOf(before + RUN)).toEqual(["run()"]);
  },
);

test("[D7] a span that a tag has ended does not continue after the script", () => {
  expect(codesOf(`a \` b\n${RUN} c ${RUN}`)).toEqual(["run()", "run()"]);
});

test.each(["    ", "\t", "> ", "- ", "1. ", "# ", "<!-- ", "<pre>", "<b>", '"', "(", "*", "a: "])(
  "[D8] %j hides nothing",
  (before) => {
    expect(codesOf(`a\n\n${before}${RUN}`)).toEqual(["run()"]);
  },
);

test("[D6] [D7] in documents with all of these, finds exactly the scripts outside of code", () => {
  const hidden = "<script>hidden()</script>";
  const word = fc.constantFrom("word", "it's", "a < b", "5 > 4", "\\`", "~", "", hidden.slice(1));
  const words = fc.array(word, { maxLength: 4 }).map((list) => list.join(" "));
  const visible = fc.tuple(words, words).map(([a, b]) => `a ${a} ${RUN} ${b}`);
  const span = fc
    .record({ ticks: fc.integer({ min: 1, max: 5 }), inner: words, before: words, newline: fc.boolean() })
    .map(({ ticks, inner, before, newline }) => {
      const fence = "`".repeat(ticks);
      const code = inner.replaceAll("`", "").replaceAll("\\", "");
      return `a ${before} ${fence}x ${newline ? "y\nz" : code}${hidden} ${code}${fence} ${RUN}`;
    });
  const block = fc
    .record({
      sign: fc.constantFrom("`", "~"),
      length: fc.integer({ min: 3, max: 6 }),
      more: fc.nat(2),
      indent: fc.nat(3),
      info: fc.constantFrom("", "ts", " html a=b"),
      lines: fc.array(fc.oneof(words, fc.constant(hidden), fc.constant("```"), fc.constant("~~~ x"))),
    })
    .map(({ sign, length, more, indent, info, lines }) => {
      const space = " ".repeat(indent);
      const closes = new RegExp(`^${sign}{${length},}$`);
      const content = lines.filter((line) => !closes.test(line));
      return [space + sign.repeat(length) + info, ...content, space + sign.repeat(length + more)].join("\n");
    });
  const prefix = fc.constantFrom("", "> ", "  ");
  const part = fc
    .tuple(fc.oneof(visible, span, block), prefix)
    .map(([lines, before]) => lines.replaceAll(/^/gm, before));
  const document = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("\n\n"));
  fc.assert(
    fc.property(document, (text) => {
      const expected = text.split(RUN).length - 1;
      expect(codesOf(text)).toEqual(Array.from({ length: expected }, () => "run()"));
    }),
    { numRuns: 2_000 },
  );
});
