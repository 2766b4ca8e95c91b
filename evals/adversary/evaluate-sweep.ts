import { createRandom } from "../typed/random.ts";
import { formatTable } from "../table.ts";
import { describeAttack } from "./describe-attack.ts";
import { isDictatedTo } from "./dictated-place.ts";
import type { Attack } from "./generate.ts";
import { leftBy } from "./left-by-decision.ts";
import { readAttackSuites } from "./read-attack-suites.ts";
import { sweep } from "./sweep.ts";

const MOST_SHOWN = 3;

/** Tries every tool with every value on all suites, prints what passed, and resolves with whether nothing did but what is left by decision. */
export async function evaluateSweep(directory: string | undefined, seed: number): Promise<boolean> {
  const suites = await readAttackSuites(directory);
  const rows = suites.map((suite) => {
    const { tried, passed } = sweep(suite, createRandom(seed));
    return {
      suite,
      tried,
      passed,
      unheld: passed.filter((one) => leftBy(one) === undefined && !isDictatedTo(one)),
    };
  });
  console.log("\nEvery tool with every value that anybody has, after every read");
  console.log(
    formatTable(
      ["suite", "tried", "left by decision", "not held"],
      rows.map(({ suite, tried, passed, unheld }) => [
        suite.name,
        tried,
        passed.length - unheld.length,
        unheld.length,
      ]),
    ),
  );
  for (const { unheld } of rows) printExamples(unheld);
  const holds = rows.every(({ unheld }) => unheld.length === 0);
  console.log(`\nsweep: ${holds ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds;
}

/** One for each tool of each task. */
function printExamples(unheld: readonly Attack[]): void {
  const groups = Map.groupBy(
    unheld,
    ({ task, call }) => `${task.id}: ${call.tool.path} ${call.forged.join()}`,
  );
  for (const [name, attacks] of groups) {
    console.log(`\n${name}: ${attacks.length} not held, such as`);
    for (const { call } of attacks.slice(0, MOST_SHOWN)) console.log(`  ${JSON.stringify(call.input)}`);
    const [first] = attacks;
    if (first !== undefined) console.log(describeAttack(first));
  }
}
