import { compareRunners } from "./compare-runners.ts";
import type { Runners } from "./runners.ts";
import { sized } from "../sized.ts";

const SEQUENTIAL = sized(500, 5);
const PARALLEL = sized(200, 5);
const LIMIT_US = 50;

/** The cost of a call without any work of its tool; includes the start of the context. */
export async function benchCalls(runners: Runners): Promise<void> {
  console.log(`${SEQUENTIAL} calls one after the other, per call:`);
  await compareRunners(runners, {
    what: "awaited call",
    code: `let last; for (let id = 0; id < ${SEQUENTIAL}; id++) last = await tools.issues.get({ id }); return last`,
    unit: "µs CPU",
    runs: 8,
    valueOf: (ms) => (ms * 1_000) / SEQUENTIAL,
    limits: { "in-process": LIMIT_US },
  });
  console.log(`${PARALLEL} calls at once with Promise.all, in all:`);
  await compareRunners(runners, {
    what: "parallel calls",
    code: `return await Promise.all(Array.from({ length: ${PARALLEL} }, (_, id) => tools.issues.get({ id })))`,
    unit: "ms CPU",
    runs: 16,
    valueOf: (ms) => ms,
    limits: { "in-process": (PARALLEL * LIMIT_US) / 1_000 },
  });
}
