import { parseArgs } from "node:util";
import { killRuns, type Mode } from "./kill-runs.ts";

// `npm run fuzz:world -- --runs 500 --seed 7`: kills the process at random moments and failpoints of running
// workflows; with `--control`, the World that Workflow DevKit brings in the same harness, which leaves runs behind.
// `--record <folder>` writes records of runs of today's templates, for the replay test.
const { values } = parseArgs({
  options: {
    runs: { type: "string" },
    seed: { type: "string" },
    kills: { type: "string" },
    control: { type: "boolean" },
    record: { type: "string" },
  },
});
if (values.record !== undefined) {
  await (await import("./record-golden.ts")).recordGolden(values.record);
  process.exit(0);
}
const runs = Number(values.runs ?? 500);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
const modes: readonly Mode[] = values.control === true ? ["local"] : ["workflows", "tasks"];
let faults = 0;
for (const mode of modes) {
  const report = await killRuns({
    runs: Math.ceil(runs / modes.length),
    seed,
    mode,
    kills: Number(values.kills ?? 6),
    onProgress: (done, kills) => process.stdout.write(`\r${mode}: ${done} runs, ${kills} kills`),
  });
  faults += report.faults.length;
  const { completed, kills } = report;
  console.log(
    `\r${mode}: ${completed} of ${report.runs} as if left alone, ${kills} kills, ${report.faults.length} faults`,
  );
  for (const fault of report.faults.slice(0, 20)) process.stdout.write(`  ${fault}\n`);
}
process.exitCode = faults === 0 ? 0 : 1;
