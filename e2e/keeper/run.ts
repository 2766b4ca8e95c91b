import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { keeperProperty } from "../../packages/agent/src/keeper/keeper-world.fixture.ts";

// `npm run fuzz:keeper -- --runs 20000 --seed 7`: processes that share a log begin, stop, suspend, kill and take over
// turns in random order; the smallest failing example is printed, with what was in the log.
const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const runs = Number(values.runs ?? 20_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
const PART = 1_000;
for (let done = 0; done < runs; done += PART) {
  await fc.assert(keeperProperty, { seed: seed + done, numRuns: Math.min(PART, runs - done) });
  process.stdout.write(`\r${Math.min(done + PART, runs)} of ${runs} runs without a fault`);
}
process.stdout.write("\n");
