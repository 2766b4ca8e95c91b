import type { TypeChecker } from "@deputy/codemode";
import { createProgress } from "../progress.ts";
import { type CheckedCall, checkCalls } from "./check-calls.ts";
import { type Corpus, toolOf } from "./corpus.ts";
import { invisibleKinds, type MutationKind, mutateCall, visibleKinds } from "./mutate-call.ts";
import type { Random } from "./random.ts";
import type { SchemaOracle } from "./schema-oracle.ts";

export interface MutationReport {
  readonly kind: MutationKind;
  readonly made: number;
  readonly refused: number;
  /** Calls that typecheck although they do not fit, as examples. */
  readonly missed: readonly string[];
}

/** Makes one mistake of each kind in every call that fits its schema, and typechecks the result. */
export async function checkMutations(
  deps: { readonly checker: TypeChecker; readonly oracle: SchemaOracle; readonly random: Random },
  corpora: readonly Corpus[],
  signal: AbortSignal,
): Promise<readonly MutationReport[]> {
  const { checker, oracle, random } = deps;
  const reports: MutationReport[] = [];
  for (const kind of [...visibleKinds, ...invisibleKinds]) {
    const mutated: (CheckedCall & { readonly id: string })[] = [];
    for (const group of corpora.flatMap(({ groups }) => groups)) {
      for (const call of group.calls) {
        const { inputSchema } = toolOf(group, call);
        if (oracle.errors(inputSchema, call.args).length > 0) continue;
        const wrong = mutateCall(kind, inputSchema, call.args, random, oracle);
        if (wrong !== undefined) mutated.push({ group, id: call.id, path: call.path, args: wrong.args });
      }
    }
    const verdicts = await checkCalls(checker, mutated, createProgress(kind, mutated.length), signal);
    const missed = mutated.filter((_, index) => verdicts[index] === undefined);
    reports.push({
      kind,
      made: mutated.length,
      refused: mutated.length - missed.length,
      missed: missed.map(({ id, args }) => `${id}: ${JSON.stringify(args)}`),
    });
  }
  return reports;
}
