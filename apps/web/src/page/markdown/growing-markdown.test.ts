import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createGrowingMarkdown } from "./growing-markdown.ts";

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

/** Tokens as they are drawn: neighbouring texts are one, and where they came from does not matter. */
const drawn = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const out: unknown[] = [];
    for (const one of value.flatMap(partsOf)) {
      const last = out.at(-1);
      if (isText(one) && isText(last)) out[out.length - 1] = { ...last, text: last.text + one.text };
      else out.push(isText(one) ? { type: "text", text: one.text } : drawn(one));
    }
    return out;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      name === "raw" || name === "text" ? [] : [[name, drawn(one)]],
    ),
  );
};
const isText = (value: unknown): value is { readonly type: "text"; readonly text: string } =>
  typeof value === "object" &&
  value !== null &&
  (value as { type?: string }).type === "text" &&
  !Object.hasOwn(value, "tokens");
const partsOf = (value: unknown): readonly unknown[] => {
  const { type, tokens, escaped } = (value ?? {}) as { type?: string; tokens?: unknown[]; escaped?: boolean };
  return type === "text" && tokens !== undefined && escaped === false ? tokens.flatMap(partsOf) : [value];
};
const drawnBlocks = (blocks: ReturnType<ReturnType<typeof createGrowingMarkdown>["read"]>) =>
  blocks.map(({ token }) => [token.type, token.raw.trimEnd(), drawn(token)]);

const words = fc.constantFrom(
  "plain",
  "**bold**",
  "`code`",
  "snake_case",
  "*",
  "[ref]",
  "[a link](https://example.org)",
  "a*b",
  "~~gone~~",
  "https://example.org/x",
  "_em_",
  "é 👍",
);
const line = fc.array(words, { minLength: 1, maxLength: 8 }).map((said) => said.join(" "));
const block = fc.oneof(
  line,
  fc.array(line, { minLength: 10, maxLength: 40 }).map((lines) => lines.join(" ")),
  fc.array(line, { minLength: 2, maxLength: 30 }).map((lines) => lines.join("\n")),
  fc
    .array(fc.tuple(fc.constantFrom("- ", "- [ ] ", "- [x] ", "  - ", "* "), line, fc.nat(9)), {
      minLength: 3,
      maxLength: 30,
    })
    .map((items) => items.map(([mark, text, gap]) => `${mark}${text}${gap === 0 ? "\n" : ""}`).join("\n")),
  fc
    .array(line, { minLength: 3, maxLength: 20 })
    .map((items) => items.map((text, at) => `${at + 3}. ${text}\n   more`).join("\n")),
  fc
    .array(line, { minLength: 3, maxLength: 20 })
    .map((rows) => `| a | b |\n| - | -: |\n${rows.map((row) => `| ${row} | ${row.length} |`).join("\n")}`),
  fc
    .array(
      fc.tuple(
        fc.constantFrom("> ", "> ", "> ", "> - ", "> | a | b |\n> | - | - |\n> | ", ">\n> ", ""),
        line,
      ),
      {
        minLength: 5,
        maxLength: 40,
      },
    )
    .map((lines) => lines.map(([mark, text]) => mark + text).join("\n")),
  fc.array(line, { minLength: 10, maxLength: 40 }).map((lines) => `> ${lines.join(" ")}`),
  fc
    .array(fc.constantFrom("日本語の文章", "**太字**", "です。", "`code`", "é"), {
      minLength: 100,
      maxLength: 400,
    })
    .map((said) => said.join("")),
  fc.constantFrom(
    "```ts\ninterface X {\n  [key: string]: number;\n}\n```",
    "[ref]: https://example.org/one",
    "[ref]: https://example.org/two",
    "> quoted\n> more",
    "---",
    "Title\n===",
    "<b>markup</b>",
  ),
);

test("[W20] a long list, table or paragraph that grows ends as if it had come whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(block, fc.constantFrom("\n\n", "\n\n", "\n")), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 10, max: 90 }),
      (blocks, step) => {
        const text = blocks.map(([one, gap]) => one + gap).join("");
        const growing = createGrowingMarkdown();
        for (let end = step; end < text.length; end += step) growing.read(text.slice(0, end), true);
        expect(drawnBlocks(growing.read(text, false))).toEqual(
          drawnBlocks(createGrowingMarkdown().read(text, false)),
        );
      },
    ),
    { numRuns: 25 },
  );
});

test.each([
  ["list", (at: number) => `- Item **${at}**, and more of it\n`, "items"],
  ["loose list", (at: number) => `- Item **${at}**, and more of it\n\n`, "items"],
  ["list of tasks", (at: number) => `- [ ] Task **${at}**, and more of it\n`, "items"],
  ["quotation", (at: number) => `> A quoted **${at}**\n>\n`, "tokens"],
  ["text without blanks", (at: number) => `日本語の文章は**${at}**とても長いです。`, "tokens"],
  ["table", (at: number) => `${at === 0 ? "| a | b |\n| - | - |\n" : ""}| row **${at}** | \`b\` |\n`, "rows"],
  ["paragraph", (at: number) => `Sentence **${at}** of it, with \`code\`. `, "tokens"],
] as const)(
  "[W21] a piece of a long %s makes a few of its parts anew, however long it is",
  (_, make, parts) => {
    const text = Array.from({ length: 400 }, (_none, at) => make(at)).join("");
    const growing = createGrowingMarkdown();
    let before = new Set<unknown>();
    const anew: number[] = [];
    for (let end = 40; end <= text.length; end += 40) {
      const last = growing.read(text.slice(0, end), true).at(-1)?.token as unknown as Record<
        string,
        unknown[]
      >;
      const now = new Set((last[parts] ?? []).flatMap(partsOf));
      anew.push([...now].filter((one) => !before.has(one)).length);
      before = now;
    }
    expect(Math.max(...anew.slice(anew.length / 2))).toBeLessThan(120);
    expect(before.size).toBeGreaterThan(20);
  },
);

test("[W22] code that looks like a definition changes nothing before it, and a definition only what means it", () => {
  const growing = createGrowingMarkdown();
  const text = `See [this][x].\n\nPlain.\n\n\`\`\`ts\ninterface X {\n  [key: string]: number;\n}\n\`\`\`\n\nAnd more.\n\n[x]: https://example.org\n\nThe end.\n`;
  const first = growing.read(text.slice(0, text.indexOf("[x]: ")), true);
  const last = growing.read(text, true);
  expect(last[1]?.token).toBe(first[1]?.token);
  expect(JSON.stringify(first[0]?.token)).not.toContain("https://example.org");
  expect(JSON.stringify(last[0]?.token)).toContain("https://example.org");
});

/** Blocks that no stem keeps short, as text that repeats. */
const ENDLESS: Readonly<Record<string, readonly [begin: string, more: (at: number) => string]>> = {
  "item of a list": ["- ", (at) => `Words **${at}** and \`code\` of one item. `],
  "nested list": ["- One\n", (at) => `  - Item **${at}**\n    - and [deeper](https://example.org)\n`],
  "list nested by four": ["1. One\n", (at) => `    - Item **${at}** of it\n`],
  "text in JSON": ["{\n", (at) => `  "name_${at}": [${at}, "*", { "a": "b" }],\n`],
  "bold text without an end": ["**", (at) => `words ${at} and more `],
  "line without blanks": ["[", (at) => `x${at}*_`],
  "line of open marks": ["", () => "*a "],
  "item with code": ["- Do this:\n\n  ```ts\n", (at) => `  const x${at} = [${at}];\n`],
  "loose item": ["- One\n\n", (at) => `  A paragraph **${at}** of it.\n\n`],
  markup: ["<div>\n", (at) => `<p>Number ${at}</p>\n`],
};
const ENDLESS_CHARS = 10_000;

/** The characters of what was not there before, without what is in it and was. */
function freshChars(token: unknown, seen: Set<unknown>): number {
  if (seen.has(token)) return 0;
  seen.add(token);
  const { raw, tokens, items } = token as { raw: string; tokens?: unknown[]; items?: unknown[] };
  const inner = [...(tokens ?? []), ...(items ?? [])];
  return inner.length === 0
    ? raw.length
    : inner.reduce<number>((chars, one) => chars + freshChars(one, seen), 0);
}

test.each(Object.entries(ENDLESS))(
  "[W24] a piece of an endless %s is read with little of what stands before it, and ends as if it had come whole",
  (_, [begin, more]) => {
    let text = begin;
    for (let at = 0; text.length < ENDLESS_CHARS; at += 1) text += more(at);
    const growing = createGrowingMarkdown();
    const seen = new Set<unknown>();
    let most = 0;
    for (let end = 40; end <= text.length; end += 40) {
      const blocks = growing.read(text.slice(0, end), true);
      if (end % 1_000 === 0) {
        expect(new Set(blocks.map(({ key }) => key)).size).toBe(blocks.length);
        const written = blocks.map(({ token }) => token.raw.replaceAll(/\s/g, "")).join("");
        expect(written.length).toBeGreaterThan(text.slice(0, end).replaceAll(/\s/g, "").length - 20);
      }
      const fresh = blocks.filter(({ token }) => token.type !== "code");
      most = Math.max(
        most,
        fresh.reduce((chars, { token }) => chars + freshChars(token, seen), 0),
      );
    }
    // Twice: where it is cut, what stands before is read once more.
    expect(most).toBeLessThan(6_000);
    expect(drawnBlocks(growing.read(text, false))).toEqual(
      drawnBlocks(createGrowingMarkdown().read(text, false)),
    );
  },
);

test("[W24] what goes on with a cut list stands as far in as it, and code in it is one block", () => {
  const grown = (text: string) => {
    const growing = createGrowingMarkdown();
    for (let end = 40; end < text.length; end += 40) growing.read(text.slice(0, end), true);
    return growing.read(text, true);
  };
  const nested = grown(`1. One\n${"    - An item of it, with some words\n".repeat(200)}`);
  expect(nested.length).toBeGreaterThan(1);
  for (const { token, goesOn } of nested.slice(1)) {
    expect(token.type).toBe("list");
    expect(goesOn?.depth).toBe(1);
  }
  const code = grown(`- Do this:\n\n  \`\`\`ts\n${"  const x = await tools.rows.list();\n".repeat(200)}`);
  expect(code.map(({ token }) => token.type)).toEqual(["list", "code"]);
  expect(code.at(-1)?.token.raw).toMatch(/^```ts\nconst x = /);
});

test("[W24] marks that nothing closes do not take the others' time; text with many closed ones has them all", () => {
  const bold = "**word** and some_snake_case ".repeat(200);
  const [closed] = createGrowingMarkdown().read(bold, false);
  expect(JSON.stringify(closed?.token).match(/"type":"strong"/g)).toHaveLength(200);
  const [open] = createGrowingMarkdown().read(`${"*a ".repeat(60)}**bold**`, false);
  expect(JSON.stringify(open?.token)).not.toContain('"type":"strong"');
});
