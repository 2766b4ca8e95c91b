import { expect, test } from "vitest";
import { DEFAULT_FUSION, DEFAULT_WEIGHTS, type Fusion, fuse } from "./fuse.ts";

const words = [
  { id: 1, score: 9 },
  { id: 2, score: 5 },
  { id: 3, score: 1 },
];
const meaning = [
  { id: 3, score: 0.8 },
  { id: 4, score: 0.6 },
  { id: 1, score: 0.4 },
];
const weighted: Fusion = { kind: "weighted", weights: DEFAULT_WEIGHTS.weighted, minScore: 0.35 };
const ranks: Fusion = { kind: "ranks", weights: DEFAULT_WEIGHTS.ranks };

function scores(fusion: Fusion, near: typeof meaning | undefined = meaning): (readonly [number, number])[] {
  return fuse(words, near, fusion).map(({ id, score }) => [id, Number(score.toFixed(4))]);
}

test("[M20] min-max stretches the scores of each search and adds them by weight", () => {
  expect(scores(DEFAULT_FUSION)).toEqual([
    [1, 0.55],
    [3, 0.5111],
    [2, 0.3056],
    [4, 0.225],
  ]);
});

test("[M20] weighted adds cosine and BM25 / (1 + BM25), and leaves out what is below the least score", () => {
  expect(scores(weighted)).toEqual([
    [3, 0.71],
    [1, 0.55],
    [4, 0.42],
  ]);
});

test("[M20] ranks adds 1 / (60 + place)", () => {
  expect(scores(ranks)).toEqual([
    [1, Number((1 / 61 + 1 / 63).toFixed(4))],
    [3, Number((1 / 63 + 1 / 61).toFixed(4))],
    [2, Number((1 / 62).toFixed(4))],
    [4, Number((1 / 62).toFixed(4))],
  ]);
});

test("[M20] keeps the scores of both searches", () => {
  expect(fuse(words, meaning, ranks).find(({ id }) => id === 1)).toMatchObject({ words: 9, meaning: 0.4 });
  expect(fuse(words, meaning, ranks).find(({ id }) => id === 4)).toMatchObject({
    words: undefined,
    meaning: 0.6,
  });
});

test.each([DEFAULT_FUSION, weighted, ranks])(
  "[M22] without meaning, words have all the weight: $kind",
  (fusion) => {
    const found = fuse(words, undefined, fusion);
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3]);
    if (fusion.kind === "weighted") expect(found[2]?.score).toBe(0.5);
  },
);

test("[M21] equals come in the order of their ids", () => {
  const equal = [7, 5, 6].map((id) => ({ id, score: 1 }));
  expect(fuse(equal, [], DEFAULT_FUSION).map(({ id }) => id)).toEqual([5, 6, 7]);
});
