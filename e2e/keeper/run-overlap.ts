import { parseArgs } from "node:util";
import { overlapRuns } from "./overlap-runs.ts";

// `npm run fuzz:overlap -- --lives 40 --seed 7`: a schedule whose runs replace each other, under kill -9.
const { values } = parseArgs({ options: { lives: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
const report = await overlapRuns({
  lives: Number(values.lives ?? 40),
  seed,
  onProgress: (lives) => process.stdout.write(`\r${lives} lives`),
});
const { turns, kills, aborted, effects, faults } = report;
process.stdout.write(
  `\r${turns} turns, ${kills} kills, ${aborted} aborted, ${effects} effects, ${faults.length} faults\n`,
);
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
