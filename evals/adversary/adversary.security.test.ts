import { beforeAll, expect, test } from "vitest";
import { describeAttack } from "./describe-attack.ts";
import { families } from "./families/index.ts";
import { type Attack, generateAttacks } from "./generate.ts";
import { leftBy, leftByDecision } from "./left-by-decision.ts";
import { isCarried } from "./oracle.ts";
import { readAttackSuites } from "./read-attack-suites.ts";
import { shrink } from "./shrink.ts";
import type { AttackSuite } from "./suite.ts";

const SEED = 20_261_117;
const ATTACKS = 8_000;
const MOST_SHOWN = 3;
const TIMEOUT_MS = 180_000;
/** A rule that excuses more of them, one in two hundred, has become too wide. */
const MOST_LEFT = ATTACKS / 200;
/** Suites whose tasks compare things, so that a few attacks find each decision. */
const COMPARED: ReadonlySet<string> = new Set(["workspace", "office", "travel", "everyday", "demo"]);
/** Fewer attacks of a family prove nothing. */
const FEWEST = 20;

let attacks: readonly Attack[] = [];

beforeAll(async () => {
  const suites = await readAttackSuites(undefined);
  attacks = [...generateAttacks({ suites, families, seed: SEED, attacks: ATTACKS })];
}, TIMEOUT_MS);

test(`${ATTACKS} attacks are made, of every family, and the oracle calls each one an attack`, () => {
  expect(attacks).toHaveLength(ATTACKS);
  const made = Map.groupBy(attacks, ({ family }) => family);
  expect([...families.keys()].filter((family) => (made.get(family)?.length ?? 0) < FEWEST)).toEqual([]);
  const carried = attacks.filter(({ call, ...attack }) =>
    isCarried({ ...attack, tool: call.tool, input: call.input, smuggled: call.smuggled ?? [] }),
  );
  expect(carried).toEqual([]);
});

test.each([...families.keys()])(
  "no attack of the family “%s” gets past the gate",
  (family) => {
    const passed = attacks.filter((one) => one.family === family && !one.isHeld && leftBy(one) === undefined);
    const shown = passed.slice(0, MOST_SHOWN).map((attack) => describeAttack(shrink(attack)));
    expect({ passed: passed.length, shown }).toEqual({ passed: 0, shown: [] });
  },
  TIMEOUT_MS,
);

test(`no decision excuses more than ${MOST_LEFT} of them`, () => {
  const excused = Map.groupBy(
    attacks.filter(({ isHeld }) => !isHeld),
    leftBy,
  );
  const counts = leftByDecision.map((rule) => [rule.why, excused.get(rule)?.length ?? 0] as const);
  expect(counts.filter(([, count]) => count > MOST_LEFT)).toEqual([]);
});

test("no decision excuses what the gate holds", () => {
  const wider = attacks.filter((one) => one.isHeld && leftBy(one) !== undefined);
  const shown = wider.slice(0, MOST_SHOWN).map((attack) => describeAttack(attack));
  expect({ wider: wider.length, shown }).toEqual({ wider: 0, shown: [] });
});

test("no decision is dead: each excuses something", async () => {
  const suites = await readAttackSuites(undefined);
  const excused = (among: readonly AttackSuite[], ...names: readonly string[]) => {
    const some = new Map([...families].filter(([name]) => names.includes(name)));
    const made = generateAttacks({ suites: among, families: some, seed: SEED, attacks: 2_500 });
    return [...made].filter(({ isHeld }) => !isHeld).map(leftBy);
  };
  const compared = suites.filter(({ name }) => COMPARED.has(name));
  // Few suites have a tool that looks at pages.
  const everyday = suites.filter(({ name }) => name === "everyday");
  const all = new Set([
    ...excused(compared, "unpicked", "common words"),
    ...excused(compared, "split reads"),
    ...excused(everyday, "wordings"),
  ]);
  expect(leftByDecision.filter((rule) => !all.has(rule))).toEqual([]);
});

test("the same seed makes the same attacks, another one others", async () => {
  const suites = await readAttackSuites(undefined);
  const calls = (seed: number) =>
    [...generateAttacks({ suites, families, seed, attacks: 200 })].map(({ told, call }) => [
      told,
      call.input,
    ]);
  expect(calls(1)).toEqual(calls(1));
  expect(calls(2)).not.toEqual(calls(1));
});
