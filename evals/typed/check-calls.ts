import { type DeclaredTool, emitDeclarations, type TypeChecker } from "@deputy/codemode";
import { callCode } from "./call-code.ts";
import type { CallGroup } from "./corpus.ts";

/** A call, and the tools it can see. */
export interface CheckedCall {
  readonly group: CallGroup;
  readonly path: string;
  readonly args: unknown;
}

/** The first thing TypeScript has against a call, or undefined when it typechecks. */
export type Refusal = { readonly code: string; readonly message: string } | undefined;

/** Calls that share a check; few, so that most of what is wrong with them is told at once. */
const BATCH = 8;

/**
 * The verdict on each call as a program of its own. Several share a check, each in a function of its own
 * on a line of its own; those that pass are checked again without the others until nothing is refused,
 * so that no limit on diagnostics hides one.
 */
export async function checkCalls(
  checker: TypeChecker,
  calls: readonly CheckedCall[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<readonly Refusal[]> {
  const verdicts: Refusal[] = calls.map(() => undefined);
  for (let start = 0; start < calls.length; start += BATCH) {
    let open = calls.slice(start, start + BATCH).map((call, index) => ({ call, index: start + index }));
    while (open.length > 0) {
      const refusals = await checkBatch(
        checker,
        open.map(({ call }) => call),
        signal,
      );
      for (const [line, refusal] of refusals) verdicts[open[line]?.index ?? -1] = refusal;
      if (refusals.size === 0) break;
      open = open.filter((_, line) => !refusals.has(line));
    }
    onProgress(Math.min(start + BATCH, calls.length));
  }
  return verdicts;
}

async function checkBatch(
  checker: TypeChecker,
  calls: readonly CheckedCall[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Refusal>> {
  const groups = [...new Set(calls.map(({ group }) => group))];
  const declared: DeclaredTool[] = groups.flatMap(({ tools }, index) =>
    tools.map((tool) => ({ ...tool, path: `g${index}.${tool.path}` })),
  );
  const code = calls
    .map(({ group, path, args }) => callCode(`g${groups.indexOf(group)}.${path}`, args))
    .map((call) => `void (async () => { return ${call}; });`)
    .join("\n");
  const found = await checker.check({ code, declarations: emitDeclarations(declared) }, signal);
  const refusals = new Map<number, Refusal>();
  for (const { line, code: number, message } of found) {
    if (!refusals.has(line - 1)) refusals.set(line - 1, { code: number, message });
  }
  return refusals;
}
