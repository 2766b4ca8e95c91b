import { parseArgs } from "node:util";
import { diskRuns } from "./disk-runs.ts";
import { poisonRuns } from "./poison-runs.ts";

// `npm run fuzz:disk -- --rounds 40 --seed 7`: a disk that is full for a while, again and again. Needs root, on Linux.
// `npm run fuzz:poison -- --rounds 40 --seed 7`: plugins that do what they should not.
const { values, positionals } = parseArgs({
  options: { rounds: { type: "string" }, seed: { type: "string" } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
const run = positionals[0] === "disk" ? diskRuns : poisonRuns;
const { faults } = await run({
  rounds: Number(values.rounds ?? 40),
  seed,
  onProgress: (soFar) => process.stdout.write(`${JSON.stringify(soFar)}\n`),
});
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
