import { parseArgs } from "node:util";
import { actions, killMemory } from "./kill-runs.ts";

// `npm run fuzz:memory -- --runs 60 --seed 7`: kills the process before any write of indexing, noting and forgetting.
const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const runs = Number(values.runs ?? 60);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
let found = 0;
for (const action of actions) {
  const { kills, faults } = await killMemory({
    action,
    runs,
    seed,
    onProgress: (done) => process.stdout.write(`\r${action}: ${done} of ${runs}`),
  });
  found += faults.length;
  process.stdout.write(`\r${action}: ${runs} runs, ${kills} kills, ${faults.length} faults\n`);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
}
process.exitCode = found === 0 ? 0 : 1;
