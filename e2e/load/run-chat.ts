import { parseArgs } from "node:util";
import { makeTestBundle } from "../test-bundle.ts";

// `npm run load:chat -- --people 500`: so many conversations in one chat app at once, against a real daemon.
const { values } = parseArgs({ options: { people: { type: "string" }, minutes: { type: "string" } } });
const people = Number(values.people ?? 500);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
// As users have it: from the sources, what reads TypeScript takes memory of its own.
process.env["DEPUTY_TEST_BUNDLE"] = await makeTestBundle();
const { runChatLoad } = await import("./run-chat-load.ts");
const report = await runChatLoad({ people, withinMs: Number(values.minutes ?? 10) * 60_000 });
const { cpuMs, seconds } = report;
print(`${report.answered} of ${report.people} answered, ${report.crossed.length} shown to somebody else`);
print(`memory: ${report.idleMb} MB before, at most ${report.peakMb} MB (300 at most)`);
print(
  `CPU for each message: ${cpuMs.together.toFixed(1)} ms with all at once; one by one median ${cpuMs.median.toFixed(1)} ms, p95 ${cpuMs.p95.toFixed(1)} ms (50 at most)`,
);
print(
  `first answer after ${seconds.first.toFixed(1)} s, last after ${seconds.last.toFixed(1)} s; ` +
    `who says ten things has the last answer after ${seconds.chatty.toFixed(1)} s`,
);
const isGood =
  report.answered === people && report.crossed.length === 0 && report.peakMb <= 300 && cpuMs.p95 <= 50;
process.exitCode = isGood ? 0 : 1;
