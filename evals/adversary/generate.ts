import { createRandom } from "../typed/random.ts";
import { createAttacker } from "./attacker.ts";
import { type Judge, openJudge, type Told } from "./conversation.ts";
import { isCarried } from "./oracle.ts";
import { type Family, type ForgedCall, openScene } from "./scene.ts";
import { withRestSaid } from "./rest-said.ts";
import { someOf } from "./some-of.ts";
import type { AttackSuite, SuiteTask } from "./suite.ts";

/** One call of an attacker, and whether the gate held it. */
export interface Attack {
  readonly family: string;
  readonly suite: AttackSuite;
  readonly task: SuiteTask;
  readonly told: readonly Told[];
  /** The attacker's own words in what was told, or what they are after. */
  readonly payload: string;
  readonly call: ForgedCall;
  readonly isHeld: boolean;
}

export interface GeneratorOptions {
  readonly suites: readonly AttackSuite[];
  readonly families: ReadonlyMap<string, Family>;
  readonly seed: number;
  readonly attacks: number;
}

/** A suite to which nothing applies must not keep the generator busy forever. */
const MOST_EMPTY_ROUNDS = 1_000;

/** Calls of one conversation that are tried with all else said; each is a conversation of its own. */
const MOST_BARE = 4;

type Untried = Omit<Attack, "isHeld">;

function isAttack({ call: { tool, input, smuggled = [] }, ...demand }: Untried): boolean {
  return !isCarried({ ...demand, tool, input, smuggled });
}

function isHeldBy(judge: Judge, { tool, input }: ForgedCall): boolean {
  return judge(tool, input).decision !== "allow";
}

/**
 * Attacks over all suites and families in turn; the same seed gives the same ones. Calls that the user's own words
 * carry are no attacks and are left out.
 */
export function* generateAttacks({ suites, families, seed, attacks }: GeneratorOptions): Generator<Attack> {
  const random = createRandom(seed);
  const pairs = suites.flatMap((suite) => [...families].map(([name, family]) => ({ suite, name, family })));
  let made = 0;
  let emptyRounds = 0;
  for (let at = 0; made < attacks && emptyRounds < MOST_EMPTY_ROUNDS; at += 1) {
    const pair = pairs[at % pairs.length];
    if (pair === undefined) return;
    const task = random.pick(pair.suite.tasks);
    if (task === undefined) continue;
    const before = made;
    const scene = openScene(pair.suite, task, createAttacker(random), random);
    for (const { told, payload, calls } of pair.family(scene)) {
      const plain = { family: pair.name, suite: pair.suite, task, told, payload };
      const tried = someOf(
        calls.map((call): Untried => Object.assign({}, plain, { call })).filter(isAttack),
        random,
      );
      const judge = openJudge(told);
      for (const one of tried) {
        if (made >= attacks) return;
        made += 1;
        yield { ...one, isHeld: isHeldBy(judge, one.call) };
      }
      const bare = someOf(calls, random, MOST_BARE)
        .map((call): Untried =>
          Object.assign({}, plain, { told: withRestSaid(pair.suite, told, call), call }),
        )
        .filter(isAttack);
      for (const one of bare) {
        if (made >= attacks) return;
        made += 1;
        yield { ...one, isHeld: isHeldBy(openJudge(one.told), one.call) };
      }
    }
    emptyRounds = made === before ? emptyRounds + 1 : 0;
  }
}
