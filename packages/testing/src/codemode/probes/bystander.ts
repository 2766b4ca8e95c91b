import { DEFAULT_CELL_LIMITS, type Sandbox } from "@deputy/codemode";
import { ok } from "../sandbox-harness.ts";

/** An honest cell that computes and waits while others misbehave in the same sandbox. */
export interface Bystander {
  /** Makes it compute one step; resolves to the problem, if there is one. */
  step(): Promise<readonly string[]>;
  /** Makes it end; resolves to the problem, if there is one. */
  end(): Promise<readonly string[]>;
}

const ROUNDS = 20_000;
const MODULUS = 1_000_003;

const CODE = `let sum = 1;
for (let step = 1; ; step++) {
  const add = await tools.step({ step, sum, stray: Object.keys(Object.prototype).length + Object.keys(globalThis).length });
  if (add === null) return sum;
  for (let i = 0; i < ${ROUNDS}; i++) sum = (sum * 31 + add) % ${MODULUS};
}`;

export async function startBystander(sandbox: Sandbox): Promise<Bystander> {
  let asked = Promise.withResolvers<string>();
  const cell = sandbox.start(
    {
      code: CODE,
      toolPaths: ["step"],
      limits: { ...DEFAULT_CELL_LIMITS, cpuMs: 120_000, maxCalls: 10_000 },
      startedAtMs: 0,
      seed: 1,
      onCall: (call) => asked.resolve(call.inputJson),
    },
    new AbortController().signal,
  );
  const died = cell.outcome.then((outcome) => JSON.stringify(outcome));
  let sum = 1;
  let steps = 1;

  const settle = (add: number | null): void => {
    asked = Promise.withResolvers();
    cell.settle(steps, ok(add));
  };
  const check = async (): Promise<readonly string[]> => {
    const expected = JSON.stringify({ step: steps, sum, stray: 0 });
    const said = await Promise.race([asked.promise, died]);
    return said === expected ? [] : [`the bystander says ${said} and not ${expected}`];
  };

  await Promise.race([asked.promise, died]);
  return {
    async step() {
      settle(steps);
      for (let i = 0; i < ROUNDS; i++) sum = (sum * 31 + steps) % MODULUS;
      steps += 1;
      return check();
    },
    async end() {
      settle(null);
      const outcome = await cell.outcome;
      const isRight = outcome.kind === "completed" && outcome.resultJson === String(sum);
      return isRight ? [] : [`the bystander ended with ${JSON.stringify(outcome)} and not ${sum}`];
    },
  };
}
