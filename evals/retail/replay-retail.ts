import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { emitDeclarations, type Sandbox, type TypeChecker, type TypeStripper } from "@deputy/codemode";
import { createProgress } from "../progress.ts";
import { callCode } from "../typed/call-code.ts";
import { declareTau2Tools, type Tau2, type Tau2Task } from "../typed/read-tau2.ts";
import { pythonJson } from "./python-json.ts";
import { createRetailTools } from "./retail-tools.ts";
import { openRetailWorld, type RetailWorld } from "./retail-world.ts";
import { runCell } from "./run-cell.ts";

export interface ReplayDeps {
  readonly checker: TypeChecker;
  readonly stripper: TypeStripper;
  readonly sandbox: Sandbox;
}

export interface ReplayReport {
  readonly programs: number;
  readonly calls: number;
  /** What did not come out as recorded, one line each. */
  readonly differences: readonly string[];
}

/** Runs each task's calls as one program in the sandbox and compares every result, every error and the database. */
export async function replayRetail(
  deps: ReplayDeps,
  { retail }: Pick<Tau2, "retail">,
  signal: AbortSignal,
): Promise<ReplayReport> {
  const onProgress = createProgress("τ² retail", retail.tasks.length);
  const differences: string[] = [];
  const declarations = emitDeclarations(declareTau2Tools("retail", retail));
  const known = new WeakMap<object, string>();
  const hashOf = (world: RetailWorld): string =>
    createHash("sha256").update(pythonJson(world.snapshot(), known)).digest("hex");
  if (hashOf(openRetailWorld(retail.db)) !== retail.db_hash_initial)
    differences.push("the initial database has another hash");
  for (const [index, task] of retail.tasks.entries()) {
    const code = programOf(task);
    const [diagnostic] = await deps.checker.check({ code, declarations }, signal);
    if (diagnostic !== undefined) differences.push(`${task.id}: does not typecheck: ${diagnostic.message}`);
    const world = openRetailWorld(retail.db);
    const outcome = await runCell(deps.sandbox, deps.stripper.strip(code), createRetailTools(world), signal);
    if (outcome.kind === "failed") differences.push(`${task.id}: ${outcome.failure.message}`);
    else differences.push(...compareCalls(task, JSON.parse(outcome.resultJson ?? "[]")));
    if (hashOf(world) !== task.db_hash_final) differences.push(`${task.id}: the database ends otherwise`);
    onProgress(index + 1);
  }
  const calls = retail.tasks.reduce((sum, task) => sum + task.calls.length, 0);
  return { programs: retail.tasks.length, calls, differences };
}

/** What came of each call, errors included, in order. */
function programOf({ calls }: Tau2Task): string {
  return [
    "const ended: { result: unknown; error: string | null }[] = [];",
    ...calls.map(
      ({ name, args }) =>
        `try { ended.push({ result: ${callCode(`retail.${name}`, args)}, error: null }); } ` +
        "catch (error) { ended.push({ result: null, error: (error as ToolError).message }); }",
    ),
    "return ended;",
  ].join("\n");
}

function compareCalls({ id, calls }: Tau2Task, ended: unknown): readonly string[] {
  const expected = calls.map(({ result, error }) => ({
    result: result ?? null,
    error: error?.replace(/^ValueError: /, "") ?? null,
  }));
  if (isDeepStrictEqual(ended, expected)) return [];
  const at = expected.findIndex(
    (one, index) => !isDeepStrictEqual(Array.isArray(ended) && ended[index], one),
  );
  return [`${id}: call ${at} (${calls[at]?.name}) ends otherwise`];
}
