import { expect, test } from "vitest";
import { fuseMeaning } from "./fuse-meaning.ts";
import type { Ranked } from "./rank.ts";
import { readQuery } from "./read-query.ts";
import { buildIndex, type SearchIndex } from "./search-index.ts";
import { toolsOf } from "./test/tools-of.ts";

const TOOLS = toolsOf({
  "chat.sendPoll": ["Sends a poll to a group"],
  "meals.week": ["Gets the meals of a week"],
  "shop.prices": ["Lists prices"],
});
const [POLL, MEALS, PRICES] = [0, 1, 2];

function setup() {
  const index = indexOf();
  const query = readQuery("xyzzy", index);
  return (byWords: readonly Ranked[], ...likeness: readonly number[]): readonly number[] =>
    fuseMeaning(index, query, byWords, Float32Array.from(likeness));
}

function indexOf(): SearchIndex {
  const steps = buildIndex(TOOLS);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test("[TS5] the nearest tool counts the less, the farther away it is: among strangers one is always nearest", () => {
  const fuse = setup();
  const byWords = [{ at: POLL, score: 5, coverage: 0.4 }];
  expect(fuse(byWords, 0.16, 0.2, 0)).toEqual([POLL, MEALS]);
  expect(fuse(byWords, 0.46, 0.9, 0)).toEqual([MEALS, POLL]);
});

test("[TS5] without words, the nearest is first however far away it is", () => {
  expect(setup()([], 0, 0.2, 0.16)).toEqual([MEALS, PRICES]);
});
