import { parseArgs } from "node:util";
import { killRuns, type Mode } from "./kill-runs.ts";

// `npm run durable -- --runs 1000 --seed 7`: kills the process at random moments of running cells.
const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const runs = Number(values.runs ?? 1_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
let faults = 0;
for (const mode of ["idempotent", "questioned", "model"] satisfies Mode[]) {
  const report = await killRuns({
    runs: Math.ceil(runs / 3),
    seed,
    mode,
    onProgress: (done, kills) => process.stdout.write(`\r${mode}: ${done} runs, ${kills} kills`),
  });
  faults += report.faults.length;
  console.log(
    `\r${mode}: ${report.runs} runs, ${report.kills} kills, ${report.questions} questions, ${report.faults.length} faults`,
  );
  for (const fault of report.faults) process.stdout.write(`  ${fault}\n`);
}
process.exitCode = faults === 0 ? 0 : 1;
