import { parseArgs } from "node:util";
import { diskRuns } from "./disk-runs.ts";

// `npm run fuzz:disk -- --rounds 40 --seed 7`: a disk that is full for a while, again and again. Needs root, on Linux.
const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
const { faults, ...figures } = await diskRuns({
  rounds: Number(values.rounds ?? 40),
  seed,
  onProgress: ({ faults: found, ...so }) => process.stdout.write(`${JSON.stringify(so)} ${found.length} faults\n`),
});
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
