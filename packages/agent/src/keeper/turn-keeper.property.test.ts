import * as fc from "fast-check";
import { test } from "vitest";
import { keeperProperty } from "./keeper-world.fixture.ts";

/** `npm run fuzz:keeper` takes other seeds, and more runs. */
const SEED = 20_260_716;
const RUNS = 1_000;

test("[A146] whoever begins, joins, stops, suspends, kills or takes over turns, in whatever order: one end each, nothing after it, nothing done twice, usage as it was", async () => {
  await fc.assert(keeperProperty, { seed: SEED, numRuns: RUNS, endOnFailure: false });
});
