import { expect, test } from "vitest";
import { overlapRuns } from "./overlap-runs.ts";

/** `npm run fuzz:overlap` takes other seeds, and more lives. */
const SEED = 160_311;

test("[E412] runs that replace each other, under kill -9: no effect and no event follows the end of a run", async () => {
  const { faults, turns, aborted, effects } = await overlapRuns({ lives: 4, seed: SEED });
  expect(faults).toEqual([]);
  expect(turns).toBeGreaterThan(3);
  expect(aborted).toBeGreaterThan(0);
  expect(effects).toBeGreaterThan(0);
});
