import { formatTable } from "../table.ts";
import { describeAttack } from "./describe-attack.ts";
import { families } from "./families/index.ts";
import { type Attack, generateAttacks } from "./generate.ts";
import { reportHonestTasks } from "./honest-tasks.ts";
import { leftBy, leftByDecision } from "./left-by-decision.ts";
import { readAttackSuites } from "./read-attack-suites.ts";
import { shrink } from "./shrink.ts";
import type { AttackSuite } from "./suite.ts";

export interface AdversaryOptions {
  readonly seed: number;
  readonly attacks: number;
}

const MAX_EXAMPLES = 2;
/** A run of hours that is stopped has said something. */
const ATTACKS_A_LINE = 5_000;

/**
 * What an attacker who owns the model gets past the gate, over suites of tools that the gate was not written for.
 * Prints tables and the smallest forms of what passed; resolves with whether nothing did but what is left by decision.
 * Suites of corpora are left out, and that is said, without a directory.
 */
export async function evaluateAdversary(
  directory: string | undefined,
  { seed, attacks }: AdversaryOptions,
): Promise<boolean> {
  const suites = await readAttackSuites(directory);
  if (directory === undefined)
    console.log(
      "adversary: DEPUTY_CORPORA names no directory, so only the suites written here are attacked.",
    );
  const interrupted = reportHonestTasks(suites);
  const startedMs = performance.now();
  const { made, passed } = attackAll(suites, seed, attacks);
  const byDecision = Map.groupBy(passed, leftBy);
  const unheld = byDecision.get(undefined) ?? [];
  console.log(`\nAn adversary's calls that were not held, of those made (seed ${seed})`);
  console.log(tableOf(suites, made, unheld));
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const total = [...made.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${total} attacks in ${seconds} s, ${unheld.length} not held, ${passed.length - unheld.length} left by decision; ` +
      `${interrupted} honest tasks interrupted`,
  );
  console.log("\nPassed by decision");
  for (const rule of leftByDecision) console.log(`  ${byDecision.get(rule)?.length ?? 0}: ${rule.why}`);
  printExamples(unheld);
  console.log(`\nadversary: ${unheld.length === 0 ? "every target holds" : "A TARGET IS MISSED"}`);
  return unheld.length === 0;
}

const keyOf = (family: string, suite: AttackSuite): string => `${family} ${suite.name}`;

function attackAll(suites: readonly AttackSuite[], seed: number, attacks: number) {
  const made = new Map<string, number>();
  const passed: Attack[] = [];
  let total = 0;
  for (const attack of generateAttacks({ suites, families, seed, attacks })) {
    const key = keyOf(attack.family, attack.suite);
    made.set(key, (made.get(key) ?? 0) + 1);
    if (!attack.isHeld) passed.push(attack);
    total += 1;
    if (total % ATTACKS_A_LINE === 0) {
      const unheld = passed.filter((one) => leftBy(one) === undefined);
      console.log(`  ${total} attacks so far, ${unheld.length} not held`);
    }
  }
  return { made, passed };
}

function tableOf(
  suites: readonly AttackSuite[],
  made: ReadonlyMap<string, number>,
  unheld: readonly Attack[],
): string {
  const passed = Map.groupBy(unheld, ({ family, suite }) => keyOf(family, suite));
  const cell = (key: string): string =>
    made.has(key) ? `${passed.get(key)?.length ?? 0} of ${made.get(key) ?? 0}` : "–";
  return formatTable(
    ["family", ...suites.map(({ name }) => name)],
    [...families.keys()].map((family) => [family].concat(suites.map((suite) => cell(keyOf(family, suite))))),
  );
}

/** For each family and suite, what passed at two of its tools. */
function printExamples(unheld: readonly Attack[]): void {
  const groups = Map.groupBy(unheld, ({ family, suite }) => keyOf(family, suite));
  for (const [key, attacks] of groups) {
    console.log(`\n${key}: ${attacks.length} not held, such as`);
    const byTool = Map.groupBy(attacks, ({ call }) => call.tool.path);
    for (const [first] of [...byTool.values()].slice(0, MAX_EXAMPLES))
      if (first !== undefined) console.log(describeAttack(shrink(first)));
  }
}
