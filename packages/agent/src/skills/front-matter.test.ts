import { expect, test } from "vitest";
import { parseFrontMatter } from "./front-matter.ts";

const read = (yaml: string) => parseFrontMatter(`---\n${yaml}\n---\n\nBody\n`, ["name", "description"]);
const description = (yaml: string) => {
  const parsed = read(yaml);
  return parsed.kind === "ok" ? parsed.fields["description"] : parsed.why;
};

test.each([
  ["plain", "description: Reads  PDFs", "Reads  PDFs"],
  ["plain, with a colon that YAML would not take", "description: Use when: asked", "Use when: asked"],
  ["plain, with an address", "description: See https://a.b/#c now", "See https://a.b/#c now"],
  ["plain, with a comment", "description: Reads PDFs # well", "Reads PDFs"],
  ["plain, over lines", "description: Reads\n  PDFs\n\n  and more\nname: x", "Reads PDFs\nand more"],
  ["plain, from the next line on", "description:\n  Reads PDFs", "Reads PDFs"],
  ["a number, as it is written", "description: 1.0", "1.0"],
  ["single quotes", "description: 'It''s: # fine'", "It's: # fine"],
  ["single quotes, over lines", "description: 'a\n  b\n\n  c' # d", "a b\nc"],
  ["double quotes", String.raw`description: "a \"b\" \\ \u00e9\n\x41 \U0001F600"`, 'a "b" \\ é\nA 😀'],
  ["double quotes, over lines", 'description: "a\n  b \\\n  c"', "a b c"],
  ["literal", "description: |\n  a\n   b\n\n  c\nname: x", "a\n b\n\nc"],
  ["folded", "description: >-\n  a\n  b\n\n  c\n    d\n  e", "a b\nc\n  d\ne"],
  ["folded, indentation given", "description: >2\n    a\n  b", "a\nb"],
  ["literal, with a comment after it", "description: |+ # c\n  a\n# comment\nname: x", "a"],
  ["empty", "description:\nname: x", ""],
])("[A68] a value that is %s", (_style, yaml, text) => {
  expect(description(yaml)).toBe(text);
});

test("[A68] other fields are passed over, whatever they hold", () => {
  const parsed = read(
    [
      "name: pdf",
      "# a comment",
      "metadata:",
      "  author: me",
      "# another",
      "  tags: [a, b]",
      'openclaw: {"requires": {',
      '  "bins": ["x}"]',
      "}}",
      "allowed-tools:",
      "- Read",
      "- Bash(git:*)",
      "text: |",
      "  name: not this one",
      "description: Reads",
    ].join("\n"),
  );
  expect(parsed).toEqual({ kind: "ok", fields: { name: "pdf", description: "Reads" }, body: "Body" });
});

test.each([
  ["no front matter", "# Title", "does not begin"],
  ["no end", "---\nname: x", "no end"],
  ["no fields", "---\njust text\n---", "line 2 of its front matter is not `name: value`"],
  ["an indented line without a field", "---\n  name: x\n---", "line 2"],
  ["a field twice", "---\nname: x\nname: y\n---", "line 3: `name` is there twice"],
  ["a list", "---\ndescription: [a]\n---", "`description` is not text"],
  ["a list over lines", "---\ndescription:\n  - a\n---", "`description` is not text"],
  ["an alias", "---\ndescription: *a\n---", "is not text"],
  ["a quote that stays open", '---\ndescription: "a\n---', "has no closing quote"],
  ["text after a quote", "---\ndescription: 'a' b\n---", "goes on after its closing quote"],
  ["an unknown escape", '---\ndescription: "\\q"\n---', "does not know: \\q"],
  ["a code point that is none", '---\ndescription: "\\Uffffffff"\n---', "does not know"],
  ["tabs", "---\ndescription:\n\ta\n---", "tabs"],
  ["a block that falls back", "---\ndescription: |\n    a\n  b\n---", "indented less"],
  ["something else that begins like a block", "---\ndescription: >x\n---", "put it in quotes"],
])("[A68] %s is refused", (_what, text, why) => {
  expect(parseFrontMatter(text, ["name", "description"])).toEqual({
    kind: "bad",
    why: expect.stringContaining(why),
  });
});
