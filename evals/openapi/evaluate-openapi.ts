import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openWireServer } from "@deputy/testing/openapi";
import { formatTable } from "../table.ts";
import { checkSpec, type ProblemKind, type Wire } from "./check-spec.ts";
import { typecheckDeclarations } from "./typecheck-declarations.ts";

const MIN_LOADED = 0.99;
const MIN_CALLABLE = 0.995;
const MAX_GITHUB_CPU_MS = 1_000;
const MAX_GITHUB_MB = 250;
const GITHUB = "github.com/api.github.com.json";
/** Declarations that are checked by one compiler. */
const MAX_BATCH_CHARS = 20_000_000;
const MAX_EXAMPLES = 12;

/**
 * How much of the public specs becomes tools that can be called: loaded, declared, typechecked, and with a request
 * that the same spec finds right on the other side. Prints tables; resolves with whether every target holds.
 */
export async function evaluateOpenApi(directory: string, specs: readonly string[]): Promise<boolean> {
  const failures: string[] = [];
  const kinds: Record<ProblemKind, number> = { input: 0, request: 0, server: 0, validator: 0 };
  const examples: string[] = [];
  const mistyped = new Map<string, string>();
  let batch = new Map<string, string>();
  let batchChars = 0;
  let [loaded, operations, callable] = [0, 0, 0];
  const flush = async (): Promise<void> => {
    for (const [spec, why] of await typecheckDeclarations(batch)) mistyped.set(spec, why);
    [batch, batchChars] = [new Map(), 0];
  };
  await using server = await openWireServer((request) => {
    wire.sent = request;
    return Response.json({});
  });
  const wire: Wire = { url: server.url };
  for (const spec of specs) {
    const report = await checkSpec(directory, spec, wire);
    if (report.failure !== undefined) {
      failures.push(`${spec}: ${report.failure}`);
      continue;
    }
    loaded += 1;
    operations += report.operations;
    callable += report.operations - report.problems.length;
    for (const { kind, tool, text } of report.problems) {
      kinds[kind] += 1;
      if (examples.length < MAX_EXAMPLES) examples.push(`${kind} ${spec} ${tool}: ${text.slice(0, 200)}`);
    }
    batch.set(spec, report.declarations);
    batchChars += report.declarations.length;
    if (batchChars > MAX_BATCH_CHARS) await flush();
  }
  if (batch.size > 0) await flush();
  const github = await measure(join(directory, GITHUB));

  const share = (part: number, whole: number): string =>
    `${((100 * part) / Math.max(whole, 1)).toFixed(2)} %`;
  console.log("\nOpenAPI: public specs as tools");
  console.log(
    formatTable(
      ["what", "count", "of", "share"],
      [
        ["specs that load", loaded, specs.length, share(loaded, specs.length)],
        [
          "declaration files that typecheck",
          loaded - mistyped.size,
          loaded,
          share(loaded - mistyped.size, loaded),
        ],
        ["operations that can be called", callable, operations, share(callable, operations)],
      ],
    ),
  );
  console.log(`not callable: ${kinds.input} refuse their own input, ${kinds.request} make no request,`);
  console.log(`  ${kinds.server} make one that their spec refuses; ${kinds.validator} could not be judged`);
  for (const line of [...failures.slice(0, MAX_EXAMPLES), ...examples]) console.log(`  ${line}`);
  for (const [spec, why] of [...mistyped].slice(0, MAX_EXAMPLES)) console.log(`  types ${spec}: ${why}`);
  console.log(
    `GitHub: ${github.tools} tools, loaded in ${github.loadCpuMs} ms CPU, with declarations ${github.allCpuMs} ms, ${github.peakMb} MB`,
  );
  const holds = [
    loaded >= MIN_LOADED * specs.length,
    mistyped.size === 0,
    callable >= MIN_CALLABLE * operations,
    github.allCpuMs <= MAX_GITHUB_CPU_MS,
    github.peakMb <= MAX_GITHUB_MB,
  ].every(Boolean);
  console.log(`\nopenapi: ${holds ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds;
}

interface LoadCost {
  readonly tools: number;
  readonly loadCpuMs: number;
  readonly allCpuMs: number;
  readonly peakMb: number;
}

async function measure(file: string): Promise<LoadCost> {
  const script = fileURLToPath(new URL("./measure-load.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
  return JSON.parse(stdout) as LoadCost;
}
