import type { TypeChecker } from "@deputy/codemode";
import { createProgress } from "../progress.ts";
import { checkCalls } from "./check-calls.ts";
import { type Corpus, countCalls, toolOf } from "./corpus.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { SchemaOracle } from "./schema-oracle.ts";

export interface TruthReport {
  readonly corpus: string;
  readonly calls: number;
  readonly accepted: number;
  /** Refused calls by what is wrong with them. */
  readonly explained: ReadonlyMap<string, number>;
  /** Refused although they fit their schema: these would be faults of the declarations. */
  readonly unexplained: readonly string[];
}

/** Typechecks every call of a corpus as it is. */
export async function checkTruth(
  checker: TypeChecker,
  oracle: SchemaOracle,
  corpus: Corpus,
  signal: AbortSignal,
): Promise<TruthReport> {
  const calls = corpus.groups.flatMap((group) => group.calls.map((call) => ({ group, ...call })));
  const verdicts = await checkCalls(checker, calls, createProgress(corpus.name, calls.length), signal);
  const explained = new Map<string, number>();
  const unexplained: string[] = [];
  for (const [index, call] of calls.entries()) {
    const refusal = verdicts[index];
    if (refusal === undefined) continue;
    const { inputSchema } = toolOf(call.group, call);
    const reason = explainRefusal(call.args, oracle.errors(inputSchema, call.args));
    if (reason === undefined) unexplained.push(`${call.id}: ${refusal.message}`);
    else explained.set(reason, (explained.get(reason) ?? 0) + 1);
  }
  const accepted = verdicts.filter((verdict) => verdict === undefined).length;
  return { corpus: corpus.name, calls: countCalls(corpus), accepted, explained, unexplained };
}
