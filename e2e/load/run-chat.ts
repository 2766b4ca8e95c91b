import { parseArgs } from "node:util";
import { runChatLoad } from "./run-chat-load.ts";

// `npm run load:chat -- --people 500`: so many conversations in one chat app at once, against a real daemon.
const { values } = parseArgs({ options: { people: { type: "string" } } });
const people = Number(values.people ?? 500);
const report = await runChatLoad({ people, withinMs: 10 * 60_000 });
const { cpuMs, seconds } = report;
console.log(
  `${report.answered} of ${report.people} answered, ${report.crossed.length} shown to somebody else`,
);
console.log(`memory: ${report.idleMb} MB before, at most ${report.peakMb} MB (300 at most)`);
console.log(
  `CPU for each message: median ${cpuMs.median.toFixed(1)} ms, p95 ${cpuMs.p95.toFixed(1)} ms (50 at most)`,
);
console.log(
  `first answer after ${seconds.first.toFixed(1)} s, last after ${seconds.last.toFixed(1)} s; ` +
    `who says ten things has the last answer after ${seconds.chatty.toFixed(1)} s`,
);
const isGood =
  report.answered === people && report.crossed.length === 0 && report.peakMb <= 300 && cpuMs.p95 <= 50;
process.exitCode = isGood ? 0 : 1;
