import { expect, test } from "vitest";
import { findCachedCorpus } from "./openapi/corpus.ts";
import { findAll, recallAt } from "./tool-search/evaluate-tool-search.ts";
import { FRESH_INTENTS } from "./tool-search/fresh-intents.ts";
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
const MIN_RECALL = 0.9;

test("there are 200 intents and 60 fresh ones over 20 specs, no two the same", () => {
  const texts = [INTENTS, FRESH_INTENTS].map((set) =>
    Object.values(set).flatMap((intents) => intents.map(([text]) => text)),
  );
  for (const set of [INTENTS, FRESH_INTENTS]) expect(Object.keys(set)).toEqual(Object.keys(SPECS));
  expect(texts.map((set) => set.length)).toEqual([200, 60]);
  expect(new Set(texts.flat()).size).toBe(260);
});

test("where the specs are at hand, most intents find their tool among the first five", async () => {
  const directory = findCachedCorpus();
  if (directory === undefined) {
    console.log("SKIPPED tool-search: the specs are not at hand; `npm run eval openapi` fetches them.");
    return;
  }
  const catalogue = await loadSpecs(directory, SOME);
  expect(recallAt(findAll(catalogue, SOME, INTENTS), 5)).toBeGreaterThanOrEqual(MIN_RECALL);
});
