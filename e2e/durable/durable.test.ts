import { expect, test } from "vitest";
import { SEED } from "../seed.ts";
import { killRuns, type Mode } from "./kill-runs.ts";

/** `npm run durable` does many more, with other seeds. */
test.each([
  ["idempotent", 40, 10],
  ["questioned", 40, 10],
  ["model", 39, 60],
] satisfies [Mode, number, number][])(
  "[E60] killed at random moments, every cell ends as if left alone, no effect is repeated, and each replays as recorded (%s, %i runs) (GC34)",
  { timeout: 1_800_000 },
  async (mode, wanted, leastKills) => {
    const { runs, kills, questions, faults } = await killRuns({ runs: wanted, seed: SEED, mode });
    process.stdout.write(
      `durable: DEPUTY_SEED=${SEED} ${mode}: ${runs} runs, ${kills} kills, ${questions} questions\n`,
    );
    expect(faults).toEqual([]);
    expect(runs).toBe(wanted);
    expect(kills).toBeGreaterThanOrEqual(leastKills);
    // Where nothing was ever in flight at a kill, nothing was proved. What is safe to repeat is asked about, too, once it
    // was in flight at two of them.
    if (mode === "questioned") expect(questions).toBeGreaterThan(0);
  },
);
