import { join } from "node:path";
import { runTasks } from "./run-tasks.ts";
import { runWorkflows } from "./run-workflows.ts";
import { openOutsideWorld } from "./outside-world.ts";

// One process of the kill test: goes on with what an earlier one left, starts what is missing, answers what
// is asked, and prints how everything ended. Dies where it is told to: after some time, or at a failpoint.
const [directory = "", mode = "", countText = "", dieText = ""] = process.argv.slice(2);
const die = (): void => void process.kill(process.pid, "SIGKILL");
const [phase, amount] = dieText.split(":");
if (phase === "ms") setTimeout(die, Number(amount));

// Whoever lost something waits for it for ever.
const HUNG_MS = 60_000;
setTimeout(() => {
  process.stderr.write("Nothing ended any more\n");
  process.exit(3);
}, HUNG_MS).unref();

let points = 0;
const failpoint = (): void => {
  points += 1;
  if (phase === "point" && points === Number(amount)) die();
};
const setting = {
  path: join(directory, "workflows.db"),
  count: Number(countText),
  outside: openOutsideWorld(directory),
  failpoint,
  onBug(error: unknown): void {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  },
};
const results = mode === "tasks" ? await runTasks(setting) : await runWorkflows(mode, setting);
process.stdout.write(`${JSON.stringify({ results, points })}\n`);
process.exit(0);
