import type { JsonSchema } from "@deputy/codemode";
import { callCode } from "../typed/call-code.ts";
import { mutateCall, visibleKinds } from "../typed/mutate-call.ts";
import type { Random } from "../typed/random.ts";
import type { Tau2Task } from "../typed/read-tau2.ts";
import type { SchemaOracle } from "../typed/schema-oracle.ts";

/** How often each kind of mistake is made in each task, each time in a call by lot. */
const ROUNDS = 3;

/** Each task that wrote something, went well and took several calls, with each kind of mistake in a call by lot. */
export function writeWrongPrograms(
  { random, oracle }: { readonly random: Random; readonly oracle: SchemaOracle },
  tasks: readonly Tau2Task[],
  schemas: ReadonlyMap<string, JsonSchema>,
  isWrite: ReadonlyMap<string, boolean>,
): readonly string[] {
  const fitting = tasks.filter(
    ({ calls }) =>
      calls.length > 1 &&
      calls.every(({ error }) => error === null) &&
      calls.some(({ name }) => isWrite.get(`retail.${name}`) === true),
  );
  const kinds = Array.from({ length: ROUNDS }, () => visibleKinds).flat();
  return fitting.flatMap(({ calls }) =>
    kinds.flatMap((kind) => {
      const wrong = random.below(calls.length);
      const { name = "", args } = calls[wrong] ?? {};
      const mutated = mutateCall(kind, schemas.get(`retail.${name}`) ?? {}, args, random, oracle);
      if (mutated === undefined) return [];
      const lines = calls.map((call, index) =>
        callCode(`retail.${call.name}`, index === wrong ? mutated.args : call.args),
      );
      return [[...lines, 'return "done"'].map((line) => `${line};`).join("\n")];
    }),
  );
}
