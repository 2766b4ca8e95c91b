import { expect, test } from "vitest";
import { findCachedCorpus } from "./openapi/corpus.ts";
import { findAll, recallAt } from "./tool-search/evaluate-tool-search.ts";
import { DEVELOPMENT_INTENTS } from "./tool-search/development-intents.ts";
import { FRESH_INTENTS } from "./tool-search/fresh-intents.ts";
import { FURTHER_INTENTS } from "./tool-search/further-intents.ts";
import { HELD_BACK_INTENTS } from "./tool-search/held-back-intents.ts";
import { INTENTS } from "./tool-search/intents.ts";
import {
  DEVELOPMENT_SPECS,
  FURTHER_SPECS,
  HELD_BACK_SPECS,
  loadSpecs,
  pickSpecs,
  SPECS,
  type SpecName,
} from "./tool-search/specs.ts";

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

test("every set has its intents, each of a spec, and no two are the same", () => {
  const sets = [
    { intents: INTENTS, specs: SPECS, count: 200 },
    { intents: FRESH_INTENTS, specs: SPECS, count: 60 },
    { intents: DEVELOPMENT_INTENTS, specs: DEVELOPMENT_SPECS, count: 100 },
    { intents: FURTHER_INTENTS, specs: FURTHER_SPECS, count: 48 },
    { intents: HELD_BACK_INTENTS, specs: HELD_BACK_SPECS, count: 50 },
  ];
  const texts = sets.map(({ intents }) =>
    Object.values(intents).flatMap((each) => each.map(([text]) => text)),
  );
  for (const { intents, specs } of sets) expect(Object.keys(intents)).toEqual(Object.keys(specs));
  expect(texts.map((set) => set.length)).toEqual(sets.map(({ count }) => count));
  expect(new Set(texts.flat()).size).toBe(458);
});

test("where the specs are at hand, most intents find their tool among the first five", async () => {
  const directory = findCachedCorpus();
  if (directory === undefined) {
    console.log("SKIPPED tool-search: the specs are not at hand; `npm run eval openapi` fetches them.");
    return;
  }
  const catalogue = await loadSpecs(directory, pickSpecs(SOME));
  const intents = Object.fromEntries(SOME.map((name) => [name, INTENTS[name]]));
  expect(recallAt(await findAll(catalogue, intents), 5)).toBeGreaterThanOrEqual(MIN_RECALL);
});
