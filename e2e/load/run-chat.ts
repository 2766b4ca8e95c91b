import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { STAGED_APPS } from "../chat-stage.ts";

// `npm run load:chat -- --people 500 --app slack`: so many conversations in a chat app at once, against a real daemon;
// without `--app` in each of them, and then a daemon that is connected with all and idle. Each with the rehearsal, and
// with a model that is asked over HTTP, where the memory recalls for each message; `--model` for one of these.
const MOST_MB = 300;
const MOST_CPU_MS = 50;
const MOST_IDLE_MB = 160;
/** So many that a collection of the whole heap, which is in them, does not decide by itself. */
const SINGLES = 200;
const REST_MS = 20_000;

const MODELS = ["rehearsal", "server"] as const;
const MODEL_NAMES = { rehearsal: "the rehearsal", server: "a model over HTTP and the memory" } as const;

const { values } = parseArgs({
  options: {
    people: { type: "string" },
    minutes: { type: "string" },
    app: { type: "string" },
    model: { type: "string" },
  },
});
const people = Number(values.people ?? 500);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
// As users have it: from the sources, what reads TypeScript takes memory of its own. In a process of its own, because
// whatever starts daemons asks for the bundle as soon as it is imported.
const makesBundle = fileURLToPath(new URL("../test-bundle.ts", import.meta.url));
process.env["DEPUTY_TEST_BUNDLE"] = execFileSync(process.execPath, [makesBundle], { encoding: "utf8" });
const { measureIdle, runChatLoad } = await import("./run-chat-load.ts");
let isGood = true;
for (const app of STAGED_APPS) {
  if (values.app !== undefined && values.app !== app) continue;
  for (const model of MODELS) {
    if (values.model !== undefined && values.model !== model) continue;
    const report = await runChatLoad({
      app,
      people,
      withinMs: Number(values.minutes ?? 10) * 60_000,
      model,
      singles: SINGLES,
      before: "rested",
    });
    const { cpuMs, seconds } = report;
    const asks = model === "server" ? `, ${report.recalled} times with what the memory recalled` : "";
    print(
      `${app}, ${MODEL_NAMES[model]}: ${report.answered} of ${report.people} answered${asks}, ${report.crossed.length} shown to somebody else`,
    );
    print(`memory: ${report.idleMb} MB before, at most ${report.peakMb} MB (${MOST_MB} at most)`);
    print(
      `CPU for each message: ${cpuMs.together.toFixed(1)} ms with all at once and ${cpuMs.after.toFixed(1)} ms afterwards; one by one median ${cpuMs.median.toFixed(1)} ms, p95 ${cpuMs.p95.toFixed(1)} ms (${MOST_CPU_MS} at most)`,
    );
    print(
      `first answer after ${seconds.first.toFixed(1)} s, last after ${seconds.last.toFixed(1)} s; ` +
        `who says ten things has the last answer after ${seconds.chatty.toFixed(1)} s`,
    );
    isGood &&= report.answered === people && report.crossed.length === 0;
    isGood &&= report.peakMb <= MOST_MB && cpuMs.p95 <= MOST_CPU_MS;
    isGood &&= model === "rehearsal" || report.recalled > 0;
  }
}
if (values.app === undefined) {
  const idleMb = await measureIdle(REST_MS);
  print(`connected with all of them and idle: ${idleMb} MB (${MOST_IDLE_MB} at most)`);
  isGood &&= idleMb <= MOST_IDLE_MB;
}
process.exitCode = isGood ? 0 : 1;
