import { expect, test } from "vitest";
import { poisonRuns } from "./poison-runs.ts";

/** `npm run fuzz:poison` takes other seeds, and more rounds. */
const SEED = 720;

test("[E720] [E721] [E723] whatever a plugin does ends its call with a clear receipt, and nothing else: no daemon, no other plugin's call, no shutdown", async () => {
  const { faults, figures } = await poisonRuns({ rounds: 1, seed: SEED });
  expect(faults).toEqual([]);
  expect(figures.sips).toBeGreaterThan(15);
}, 600_000);
