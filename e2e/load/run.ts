import { parseArgs } from "node:util";
import { runLoad } from "./run-load.ts";

// `npm run load -- --seconds 30 --seed 7`: clients that break, lie and leave, all at once, against a real daemon.
const { values } = parseArgs({ options: { seconds: { type: "string" }, seed: { type: "string" } } });
const seconds = Number(values.seconds ?? 30);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
let endsAt: number | undefined;
const report = await runLoad({
  seed,
  goesOn: () => Date.now() < (endsAt ??= Date.now() + seconds * 1_000),
  signal: new AbortController().signal,
});
const { acknowledged, handles } = report;
for (const [name, times] of report.done) process.stdout.write(`  ${name.padEnd(34)} ${times}\n`);
console.log(
  `${report.operations} operations in ${seconds} s, ${report.cuts} cuts, ${report.refused} refused as too many at once`,
);
console.log(
  `acknowledged: ${acknowledged.messages} messages, ${acknowledged.tasks} tasks, ${acknowledged.blobs} attachments; ` +
    `handles ${handles.before} before, ${handles.after} after; ${report.faults.length} faults`,
);
for (const fault of report.faults.slice(0, 50)) process.stdout.write(`  ${fault}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
