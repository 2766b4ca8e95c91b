import { expect, test } from "vitest";
import { SEED } from "../seed.ts";
import { killRuns, type Mode } from "./kill-runs.ts";

/** `npm run fuzz:world` does many more, with other seeds, and the published World for comparison. */
test.each([
  ["workflows", 30],
  ["tasks", 32],
] satisfies [Mode, number][])(
  "[WF3] killed at random moments and failpoints, everything ends as if left alone and nothing is done twice (%s, %i runs)",
  { timeout: 300_000 },
  async (mode, wanted) => {
    const { runs, kills, completed, faults } = await killRuns({ runs: wanted, seed: SEED, mode });
    process.stdout.write(`world: DEPUTY_SEED=${SEED} ${mode}: ${runs} runs, ${kills} kills\n`);
    expect(faults).toEqual([]);
    expect([runs, completed]).toEqual([wanted, wanted]);
    // Where nothing was killed, nothing was proved.
    expect(kills).toBeGreaterThanOrEqual(4);
  },
);
