import { expect, test } from "vitest";
import { findCachedCorpus } from "./openapi/corpus.ts";
import { findAll, recallAt } from "./tool-search/evaluate-tool-search.ts";
import { INTENTS } from "./tool-search/intents.ts";
import { loadSpecs, SPECS, type SpecName } from "./tool-search/specs.ts";

/** Small ones: together they load in a second. */
const SOME: readonly SpecName[] = [
  "notion",
  "spotify",
  "trello",
  "asana",
  "openai",
  "ynab",
  "slack",
  "victorops",
];
const MIN_RECALL = 0.85;

test("there are 200 intents over 20 specs, no two the same", () => {
  const texts = Object.values(INTENTS).flatMap((intents) => intents.map(([text]) => text));
  expect(Object.keys(INTENTS)).toEqual(Object.keys(SPECS));
  expect(texts).toHaveLength(200);
  expect(new Set(texts).size).toBe(200);
});

test("where the specs are at hand, most intents find their tool among the first five", async () => {
  const directory = findCachedCorpus();
  if (directory === undefined) {
    console.log("SKIPPED tool-search: the specs are not at hand; `npm run eval openapi` fetches them.");
    return;
  }
  const catalogue = await loadSpecs(directory, SOME);
  expect(recallAt(findAll(catalogue, SOME, "tuned"), 5)).toBeGreaterThanOrEqual(MIN_RECALL);
});
