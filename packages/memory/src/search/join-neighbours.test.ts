import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chunkText } from "../text/chunk-text.ts";
import { joinNeighbours } from "./join-neighbours.ts";

const document = {
  key: "house.md",
  scope: "main",
  kind: "notes",
  path: "house.md",
  revision: "1",
  hash: "1",
  isStale: false,
} as const;

/** The pieces of a text in the given order, the first the best. */
function rank(text: string, places: readonly number[], size = { tokens: 20, overlap: 5 }) {
  const chunks = chunkText(text, size);
  return places.flatMap((place, at) => {
    const chunk = chunks[place];
    if (chunk === undefined) return [];
    const { firstLine, lastLine, headings } = chunk;
    const header = `[house.md${headings.map((each) => ` › ${each}`).join("")}]`;
    const stored = {
      id: place,
      place,
      firstLine,
      lastLine,
      header,
      text: chunk.text,
      foreign: [`by ${place}`],
      document,
    };
    return [{ id: place, score: 1 - at / 100, words: 1, meaning: at / 10, chunk: stored }];
  });
}

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at} of the house`).join("\n");

test("[M25] pieces that follow each other are one hit with every line once, at the place of the better", () => {
  const [first, second, ...others] = joinNeighbours(rank(LINES, [5, 2, 4, 9]));
  expect(others).toHaveLength(1);
  expect(second?.id).toBe(2);
  expect(first).toMatchObject({ id: 5, score: 1, meaning: 0.2, chunk: { foreign: ["by 4", "by 5"] } });
  const { text, firstLine, lastLine } = first?.chunk ?? { text: "", firstLine: 0, lastLine: 0 };
  expect(text).toBe(
    LINES.split("\n")
      .slice(firstLine - 1, lastLine)
      .join("\n"),
  );
});

test("[M25] at most two are joined, under the same headings, and only among the best", () => {
  expect(joinNeighbours(rank(LINES, [4, 5, 6])).map(({ id }) => id)).toEqual([4, 6]);
  const headed = `# One\n${LINES.slice(0, 70)}\n# Two\n${LINES.slice(0, 70)}`;
  expect(joinNeighbours(rank(headed, [0, 1], { tokens: 25, overlap: 0 }))).toHaveLength(2);
  const long = Array.from({ length: 200 }, (_, at) => `line ${at} of the house`).join("\n");
  const apart = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20];
  expect(joinNeighbours(rank(long, [...apart, 3, 1])).map(({ id }) => id)).toEqual([...apart, 1]);
  expect(joinNeighbours(rank(long, [0, 4, 8, 5, 9]), 4).map(({ id }) => id)).toEqual([0, 4, 8, 9]);
});

test("[M25] [M21] a joined text is the document's own, whatever it looks like", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("aa", "aa aa", "b", "a very long line ".repeat(12), "字".repeat(30)), {
        minLength: 2,
        maxLength: 30,
      }),
      fc.nat(8),
      (lines, place) => {
        const text = lines.join("\n");
        const ranked = rank(text, [place + 1, place]);
        const joined = joinNeighbours(ranked);
        if (ranked.length < 2) return;
        expect(joined).toHaveLength(1);
        expect(text).toContain(joined[0]?.chunk.text);
      },
    ),
  );
});
