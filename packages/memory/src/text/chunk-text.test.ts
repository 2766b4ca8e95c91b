import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chunkText } from "./chunk-text.ts";
import { tokensIn } from "./text-size.ts";

const SIZE = { tokens: 40, overlap: 8 };

test("[M10] a short text is one piece, without its blank edges", () => {
  expect(chunkText("\n\nOne\n\ntwo\n\n", SIZE)).toEqual([
    { from: 2, to: 10, firstLine: 3, lastLine: 5, headings: [], text: "One\n\ntwo" },
  ]);
  expect(chunkText(" \n\n", SIZE)).toEqual([]);
});

test("[M10] cuts before a heading once a piece is full enough, and knows the headings it stands under", () => {
  const text = [
    "# House",
    "Bought in 2019, with a garden and a shed at the back.",
    "## Heating",
    "The boiler is from 2020 and is serviced every May.",
    "```",
    "# no heading",
    "```",
    "## Roof",
    "New tiles.",
    "# Car",
    "Blue.",
  ].join("\n");
  const chunks = chunkText(text, { tokens: 30, overlap: 8 });
  expect(chunks.map(({ headings, firstLine, lastLine }) => [headings, firstLine, lastLine])).toEqual([
    [["House"], 1, 2],
    [["House", "Heating"], 3, 7],
    [["House", "Roof"], 8, 11],
  ]);
});

test("[M10] within a section, a piece begins with the last lines of the one before", () => {
  const lines = Array.from({ length: 12 }, (_, at) => `- item ${at} of the list`);
  const chunks = chunkText(lines.join("\n"), SIZE);
  expect(chunks.length).toBeGreaterThan(1);
  chunks.slice(1).forEach((chunk, at) => {
    expect(chunk.firstLine).toBe(chunks[at]?.lastLine);
    expect(chunk.text.startsWith(`- item ${chunk.firstLine - 1} `)).toBe(true);
  });
});

test("[M10] a line that is too long is cut between words", () => {
  const chunks = chunkText("lorem ipsum dolor ".repeat(100), SIZE);
  expect(chunks.every(({ firstLine, lastLine }) => firstLine === 1 && lastLine === 1)).toBe(true);
  expect(chunks.every(({ text }) => /^(lorem|ipsum|dolor)\b/.test(text))).toBe(true);
});

test("[M10] every word is in some piece, none is too large, and lines are right, whatever the text", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom("# A", "### B", "```", "", "字".repeat(90), "x".repeat(400), "a b ".repeat(80)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 8, max: 60 }), (lines, tokens) => {
      const text = lines.join("\n");
      const chunks = chunkText(text, { tokens, overlap: Math.floor(tokens / 5) });
      const covered = new Uint8Array(text.length);
      for (const chunk of chunks) {
        covered.fill(1, chunk.from, chunk.to);
        expect(text.slice(chunk.from, chunk.to)).toBe(chunk.text);
        // The newlines between its lines come on top.
        expect(tokensIn(chunk.text)).toBeLessThanOrEqual(tokens + (chunk.lastLine - chunk.firstLine));
        expect(text.slice(0, chunk.from).split("\n")).toHaveLength(chunk.firstLine);
        expect(text.slice(0, chunk.to).split("\n")).toHaveLength(chunk.lastLine);
      }
      const left = Array.from(text).filter((character, at) => covered[at] === 0 && character.trim() !== "");
      if (text.length === Array.from(text).length) expect(left).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
