import { compareRunners } from "./compare-runners.ts";
import type { Runners } from "./runners.ts";

const LIMIT_MS = 2;

/** From a program to its result, in a fresh context, with everything warm. */
export async function benchStart(runners: Runners): Promise<void> {
  console.log("Context start: `return 1` from start to outcome, CPU of the whole process:");
  await compareRunners(runners, {
    what: "start",
    code: "return 1",
    unit: "ms CPU",
    runs: 40,
    valueOf: (ms) => ms,
    limits: { "in-process": LIMIT_MS, "through a worker": LIMIT_MS },
  });
}
