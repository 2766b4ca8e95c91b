// npm run oils -- DIR [--only FILE] [--shows] [--keep FILE]
// Runs the spec of a copy of oils-for-unix/oils, each case in real bash and in our shell, and counts those of which bash
// gives what they say.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isCore } from "./core-files.ts";
import { helperFiles } from "./helper-programs.ts";
import { type OilsCase, readOilsCases } from "./read-cases.ts";
import { type Ran, runInBash } from "./run-in-bash.ts";
import { openOurs } from "./run-in-ours.ts";

const { values, positionals } = parseArgs({
  options: {
    only: { type: "string" },
    shows: { type: "boolean", default: false },
    keep: { type: "string" },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error("Name a folder with a copy of oils-for-unix/oils.");
const checkout = resolve(folder);
const scratch = mkdtempSync(join(tmpdir(), "deputy-oils-"));
const helpers = join(scratch, "bin");
mkdirSync(helpers);
for (const [name, text] of Object.entries(helperFiles))
  writeFileSync(join(helpers, name), text, { mode: 0o755 });

// What a case breaks in our own code is its failure, and not the end of all.
process.on("unhandledRejection", (error) => process.stderr.write(`${String(error)}\n`));

const ours = await openOurs(checkout);
const only = values.only?.split(",");
const cases = readOilsCases(checkout).filter(({ file }) => only === undefined || only.includes(file));
const known = readKnown();
const counts = new Map<string, { passed: number; all: number; cases: number }>();
for (const [at, test] of cases.entries()) {
  const setting = { checkout, helpers, folder: join(scratch, `case-${String(at)}`) };
  const count = counts.get(test.file) ?? { passed: 0, all: 0, cases: 0 };
  counts.set(test.file, count);
  count.cases += 1;
  const key = `${test.file}:${String(test.line)}`;
  if (known[key] === false) continue;
  if (known[key] === undefined) {
    const right = misses(test, await runInBash(test, setting)).length === 0;
    known[key] = right;
    if (!right) continue;
  }
  count.all += 1;
  const ran = await ours(test, setting);
  const missed = misses(test, ran);
  if (missed.length === 0) count.passed += 1;
  else if (values.shows) showMiss(test, ran, missed);
  else process.stdout.write(`${key} ${test.title}\n`);
}
rmSync(scratch, { recursive: true, force: true });
if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(known));

const share = (wanted: (file: string) => boolean): string => {
  let [passed, all] = [0, 0];
  for (const [file, count] of counts) {
    if (!wanted(file)) continue;
    passed += count.passed;
    all += count.all;
  }
  return `${String(passed)} of ${String(all)} (${((100 * passed) / Math.max(1, all)).toFixed(2)} %)`;
};
for (const [file, { passed, all, cases: count }] of counts)
  process.stdout.write(
    `${isCore(file) ? "core " : "other"} ${file}: ${String(passed)} of ${String(all)}, of ${String(count)} cases\n`,
  );
process.stdout.write(`core files: ${share(isCore)}\nall files: ${share(() => true)}\n`);

/** Which of the expectations do not hold. */
function misses({ expected }: OilsCase, ran: Ran): readonly string[] {
  const wrong: string[] = [];
  if (expected.stdout !== undefined && ran.stdout !== expected.stdout) wrong.push("stdout");
  if (expected.stderr !== undefined && ran.stderr !== expected.stderr) wrong.push("stderr");
  if (ran.status !== expected.status) wrong.push("status");
  return wrong;
}

function showMiss(test: OilsCase, ran: Ran, missed: readonly string[]): void {
  const { expected } = test;
  const rows = [`==== ${test.file}:${String(test.line)} ${test.title} [${missed.join(" ")}]`, test.code];
  for (const name of ["stdout", "stderr"] as const)
    if (missed.includes(name))
      rows.push(`-- ${name} wanted:\n${expected[name] ?? ""}`, `-- got:\n${ran[name]}`);
  if (!missed.includes("stderr") && ran.stderr !== "") rows.push(`-- stderr:\n${ran.stderr}`);
  rows.push(`-- status ${String(ran.status)}, wanted ${String(expected.status)}`, "");
  process.stdout.write(rows.join("\n"));
}

/** What bash gave in an earlier run. */
function readKnown(): Record<string, boolean> {
  if (values.keep === undefined || !existsSync(values.keep)) return {};
  return JSON.parse(readFileSync(values.keep, "utf8")) as Record<string, boolean>;
}
