import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createGrowingMarkdown } from "./lex.ts";

const TEXT = `# Title

Some **bold** and \`code\` text, then a list:

- one
- two

  with a paragraph

\`\`\`ts
const x = "**not bold**";
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

The end, with [a link][ref].
`;

/** Blocks as a reader would compare them. */
const shape = (blocks: ReturnType<ReturnType<typeof createGrowingMarkdown>["read"]>) =>
  blocks.map(({ token }) => [token.type, token.raw.trim()]);

const whole = (text: string) => shape(createGrowingMarkdown().read(text, false));

test("[W5] however a text comes in pieces, it ends as if it had come whole", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 20 }), (cuts) => {
      const growing = createGrowingMarkdown();
      for (const cut of cuts.toSorted((a, b) => a - b)) growing.read(TEXT.slice(0, cut), true);
      growing.read(TEXT, true);
      expect(shape(growing.read(TEXT, false))).toEqual(whole(TEXT));
    }),
  );
});

test("[W5] blocks that are finished stay the same objects while the text grows", () => {
  const growing = createGrowingMarkdown();
  const seen = new Map<number, unknown>();
  for (let end = 1; end <= TEXT.length; end += 7)
    for (const { key, token, isDone } of growing.read(TEXT.slice(0, end), true)) {
      if (!isDone) continue;
      expect(seen.get(key) ?? token).toBe(token);
      seen.set(key, token);
    }
  expect(seen.size).toBeGreaterThan(3);
});

test("[W5] what is open at the end is closed for now, and a mark that may become a fence does not flash", () => {
  const growing = createGrowingMarkdown();
  const [bold] = growing.read("This is **bo", true);
  expect(JSON.stringify(bold?.token)).toContain('"type":"strong"');
  const blocks = createGrowingMarkdown().read("Text\n\n``", true);
  expect(blocks.map(({ token }) => token.type)).toEqual(["paragraph"]);
  const [, fence] = createGrowingMarkdown().read("Text\n\n```ts\nconst a = **1", true);
  expect(fence?.token).toMatchObject({ type: "code", text: "const a = **1" });
});

test("[W5] a definition at the end changes the links before it", () => {
  const growing = createGrowingMarkdown();
  growing.read("See [this][x].\n\nMore.\n\nAnd more.\n\n", true);
  const blocks = growing.read("See [this][x].\n\nMore.\n\nAnd more.\n\n[x]: https://example.org\n", false);
  expect(JSON.stringify(blocks[0]?.token)).toContain("https://example.org");
});
