import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { reportLimit } from "../report.ts";
import { sized } from "../sized.ts";

const RUNS = sized(10, 1);
const MOST_CPU_SECONDS = 0.12;
const TICKS_PER_SECOND = 100;
const launcher = fileURLToPath(new URL("../../apps/deputy/bin/deputy.mjs", import.meta.url));

/** The cost of the shortest command: the price of starting at all. */
export function benchVersion(): void {
  // A shell knows the CPU time of children that it waited for.
  const script = `for run in $(seq ${RUNS}); do "$0" "$1" --version; done >/dev/null; cat /proc/$$/stat`;
  const stat = execFileSync("sh", ["-c", script, process.execPath, launcher]).toString();
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[13]) + Number(fields[14]);
  reportLimit("deputy --version: CPU", ticks / TICKS_PER_SECOND / RUNS, "s", MOST_CPU_SECONDS);
}
