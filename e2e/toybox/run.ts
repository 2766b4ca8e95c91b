// npm run toybox -- DIR [--only NAME,NAME] [--shows] [--keep FILE]
// Runs the tests of a copy of landley/toybox that are about tools of ours, each file in real bash with this machine's
// tools and in our shell with ours, and counts the tests that this machine's tools pass.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { toolNames } from "@deputy/core-utils";
import { loadOwnTools, readData, runInScratchShell } from "../oils/scratch-shell.ts";

const { values, positionals } = parseArgs({
  options: {
    only: { type: "string" },
    shows: { type: "boolean", default: false },
    keep: { type: "string" },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error("Name a folder with a copy of landley/toybox.");
const checkout = resolve(folder);

/** Tools there that are commands of our shell. */
const OF_THE_SHELL = ["echo", "printf", "test"];
const FILE_MS = 300_000;
const FILE_STEPS = 100_000_000;

const only = values.only?.split(",");
const names = readdirSync(join(checkout, "tests"))
  .filter((file) => file.endsWith(".test"))
  .map((file) => file.replace(/\.test$/, ""))
  .filter((name) => [...toolNames, ...OF_THE_SHELL].includes(name))
  .filter((name) => only === undefined || only.includes(name))
  .sort();

/** What `scripts/test.sh` of the copy does for one file, once its programs are built. */
const scriptOf = (name: string): string => `
export TEST_HOST=1 VERBOSE=all FILES=${checkout}/tests/files LC_COLLATE=C
TESTDIR=$PWD
. ${checkout}/scripts/runtest.sh
mkdir testdir; cd testdir
CMDNAME=${name} C=$(type -P ${name})
. ${checkout}/tests/${name}.test
`;
const environmentOf = (at: string) => ({
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: at,
  LC_ALL: "C.UTF-8",
});

/** Each test by its name and how many of that name were before it. */
function readOutcomes(output: string): Map<string, { readonly outcome: string; text: string }> {
  const found = new Map<string, { readonly outcome: string; text: string }>();
  let last: { text: string } | undefined;
  for (const line of output.split("\n")) {
    const [, outcome, title] = /^(PASS|FAIL|SKIP): (.*)$/.exec(line) ?? [];
    if (outcome === undefined || title === undefined) {
      if (last !== undefined) last.text += `${line}\n`;
      continue;
    }
    let key = title;
    for (let nth = 2; found.has(key); nth += 1) key = `${title} #${String(nth)}`;
    const entry = { outcome, text: "" };
    found.set(key, entry);
    last = entry;
  }
  return found;
}

function runHere(name: string, at: string): string {
  mkdirSync(at, { recursive: true });
  // A name for this machine that a test sets is gone with the test.
  const done = spawnSync("unshare", ["--uts", "/bin/bash", "-c", scriptOf(name)], {
    cwd: at,
    env: environmentOf(at),
    encoding: "latin1",
    input: "",
    timeout: FILE_MS,
    maxBuffer: 64_000_000,
  });
  rmSync(at, { recursive: true, force: true });
  return done.stdout;
}

const known = (
  values.keep !== undefined && existsSync(values.keep) ? JSON.parse(readFileSync(values.keep, "utf8")) : {}
) as Record<string, string>;
const tools = await loadOwnTools();
const mounts = ["tests", "scripts"].map((part) => ({
  at: join(checkout, part),
  base: readData(join(checkout, part)),
}));
const scratch = mkdtempSync(join(tmpdir(), "deputy-toybox-"));
const count = { passed: 0, apply: 0, ran: 0, passedOfRan: 0 };
for (const name of names) {
  const at = join(scratch, name);
  known[name] ??= runHere(name, at);
  const here = readOutcomes(known[name]);
  const ran = await runInScratchShell({
    script: scriptOf(name),
    stdin: new Uint8Array(0),
    env: environmentOf(at),
    folder: at,
    tools,
    mounts,
    wallMs: FILE_MS,
    steps: FILE_STEPS,
  });
  const ours = readOutcomes(ran.stdout);
  const all = new Set([...here.keys(), ...ours.keys()]);
  let [passed, apply] = [0, 0];
  for (const key of all) {
    const [theirs, own] = [here.get(key), ours.get(key)];
    if (own?.outcome !== "SKIP" && theirs?.outcome !== "SKIP") {
      count.ran += 1;
      if (own?.outcome === "PASS") count.passedOfRan += 1;
    }
    if (theirs?.outcome !== "PASS") continue;
    apply += 1;
    if (own?.outcome === "PASS") passed += 1;
    else
      process.stdout.write(`${key}: ${own?.outcome ?? "not run"}\n${values.shows ? (own?.text ?? "") : ""}`);
  }
  count.passed += passed;
  count.apply += apply;
  process.stdout.write(`${name}: ${String(passed)} of ${String(apply)}, of ${String(all.size)} tests\n`);
  if (values.shows && ran.stderr !== "") process.stdout.write(`stderr: ${ran.stderr.slice(-2_000)}\n`);
}
rmSync(scratch, { recursive: true, force: true });
if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(known));
const share = (part: number, all: number): string =>
  `${String(part)} of ${String(all)} (${((100 * part) / Math.max(1, all)).toFixed(2)} %)`;
process.stdout.write(`that this machine's tools pass: ${share(count.passed, count.apply)}\n`);
process.stdout.write(`all that were not left out: ${share(count.passedOfRan, count.ran)}\n`);
