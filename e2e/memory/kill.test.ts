import { expect, test } from "vitest";
import { SEED } from "../seed.ts";
import { actions, killMemory } from "./kill-runs.ts";

/** `npm run fuzz:memory` does many more, with other seeds. */
test.each(actions)(
  "[E602] killed before any write, the next start goes on: nothing is there twice, nothing is missing, and nothing forgotten comes back (%s)",
  { timeout: 600_000 },
  async (action) => {
    const { kills, faults } = await killMemory({ action, runs: 3, seed: SEED });
    expect(faults).toEqual([]);
    // How many writes there are differs a little from run to run: some are over before their turn comes.
    expect(kills).toBeGreaterThan(0);
  },
);
