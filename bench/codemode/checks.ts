import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CELL_GLOBALS, emitDeclarations, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker } from "@deputy/codemode/node";
import { CELL_COMPILER_OPTIONS, cellText } from "../../packages/codemode/src/checker/cell-project.ts";
import { readProcessTree } from "../process-stats.ts";
import { reportLimit, reportPeer } from "../report.ts";
import { catalogue, serviceCount } from "./catalogue.ts";
import { percentile } from "./measure.ts";
import { sized } from "../sized.ts";

const SIZES = sized([50, 500, 2_000], [50]);
const EDITS = sized(200, 5);
const WARM_UP = sized(20, 1);
const P50_MS = 15;
const P95_MS = 40;
const never = new AbortController().signal;

/**
 * A program that is written and fixed, checked after each edit; compared with `tsc`, which starts from
 * scratch each time.
 */
export async function benchChecks(): Promise<void> {
  await using checker = createNodeTypeChecker();
  for (const size of SIZES) {
    const declarations = emitDeclarations(catalogue(size));
    console.log(
      `Typecheck against ${size} tools (${Math.round(declarations.length / 1024)} KB of declarations):`,
    );
    const cold = runTsc(declarations, edit(0, size));
    await timeEdits(checker, declarations, size, WARM_UP);
    const startedMs = treeCpuMs();
    const times = await timeEdits(checker, declarations, size, EDITS);
    const cpuMs = (treeCpuMs() - startedMs) / EDITS;
    reportLimit("  warm, p50", percentile(times, 0.5), "ms", P50_MS);
    reportLimit("  warm, p95", percentile(times, 0.95), "ms", P95_MS);
    reportPeer("  warm, p50", "ms", [percentile(times, 0.5)], { name: "tsc, once", rounds: [cold.ms] });
    reportPeer("  warm, mean, both processes", "ms CPU", [cpuMs], {
      name: "tsc, once",
      rounds: [cold.cpuMs],
    });
  }
}

async function timeEdits(
  checker: TypeChecker,
  declarations: string,
  size: number,
  count: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const code = edit(n, size);
    const startedMs = performance.now();
    const { length } = await checker.check({ code, declarations }, never);
    times.push(performance.now() - startedMs);
    if (length > 0 !== isMistaken(n)) throw new Error(`The checker found ${length} mistakes in:\n${code}`);
  }
  return times;
}

/** Every fifth edit has a mistake in it, which the checker then explains. */
function isMistaken(n: number): boolean {
  return n % 5 === 4;
}

function edit(n: number, size: number): string {
  const service = `tools.service${n % serviceCount(size)}`;
  const state = isMistaken(n) ? "opened" : "open";
  return `const page = await ${service}.issues.list({ query: "importer ${n}", limit: ${(n % 100) + 1} });
const open = page.items.filter((issue) => issue.state === "${state}" && (issue.priority ?? 4) < ${n % 4});
const byLabel = new Map<string, number>();
for (const { labels } of open) for (const label of labels ?? []) byLabel.set(label, (byLabel.get(label) ?? 0) + 1);
const full = await Promise.all(open.slice(0, ${(n % 7) + 1}).map(({ id }) => ${service}.issues.get({ id })));
for (const issue of full) {
  if (issue.blockedBy?.some(({ state }) => state !== "closed")) continue;
  await ${service}.issues.update({ id: issue.id, changes: { priority: ${n % 5}, labels: [...(issue.labels ?? []), "edit-${n}"] } });
}
return { count: open.length, labels: Object.fromEntries(byLabel), first: full[0]?.title.slice(0, ${n + 1}) };`;
}

/** Of this process and its children, in steps of 10 ms. */
function treeCpuMs(): number {
  return readProcessTree(process.pid).cpuSeconds * 1_000;
}

/** The compiler as a command, over the same files on the disk. */
function runTsc(declarations: string, code: string): { readonly ms: number; readonly cpuMs: number } {
  const directory = mkdtempSync(join(tmpdir(), "bench-tsc-"));
  try {
    const files = { "globals.d.ts": CELL_GLOBALS, "tools.d.ts": declarations, "cell.ts": cellText(code) };
    const config = { compilerOptions: CELL_COMPILER_OPTIONS, files: Object.keys(files) };
    for (const [name, text] of Object.entries({ ...files, "tsconfig.json": JSON.stringify(config) }))
      writeFileSync(join(directory, name), text);
    const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
    const [startedMs, startedCpuMs] = [performance.now(), treeCpuMs()];
    execFileSync(process.execPath, [join(dirname(manifest), "bin/tsc"), "-p", directory]);
    return { ms: performance.now() - startedMs, cpuMs: treeCpuMs() - startedCpuMs };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
