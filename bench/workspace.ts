import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Workspace } from "@deputy/workspace";
import { openLocalWorkspace } from "@deputy/workspace/node";
import { reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const FILES = sized(2_000, 100);
const PER_FOLDER = 50;
const CHANGED = sized(50, 5);
const ROUNDS = sized(5, 1);

/**
 * Import, status and diff of 2,000 files, as ratios: import to copying the folder with `cp -r`, status to
 * `git status` and to a plain walk, diff to `git diff`. Above 1 means slower than the peer. By the clock, because most of
 * it is the disk's: the machine must be quiet.
 */
export async function benchWorkspace(): Promise<void> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "deputy-bench-workspace-")));
  try {
    const root = join(scratch, "real");
    makeFiles(root);
    const live = new AbortController().signal;
    const workspace = openLocalWorkspace({
      directory: join(scratch, "home", "workspace"),
      apart: [],
      now: Date.now,
    });
    const order = { root, uncommitted: "discard" } as const;
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });

    const copy = join(scratch, "copy");
    const cp = await median(async () => {
      rmSync(copy, { recursive: true, force: true });
      execFileSync("cp", ["-r", root, copy]);
    });
    report("import", await median(() => workspace.import(order, live)), "cp -r", cp);

    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-qm", "base");
    await workspace.import({ ...order, exclude: [".git"] }, live);
    await workspace.status(live);
    const walk = await median(async () => walkFiles(root));
    const gitStatus = await median(async () => void git("status", "--porcelain"));
    const clean = await median(() => workspace.status(live));
    report("status, nothing changed", clean, "git status", gitStatus);
    report("status, nothing changed", clean, "walk and stat", walk);

    for (let n = 0; n < CHANGED; n++) {
      const path = nameOf(n * (FILES / CHANGED));
      const text = readFileSync(join(root, path), "utf8").replace("line 7", "changed");
      await workspace.write(path, text, live);
      writeFileSync(join(root, path), text);
    }
    const gitDiff = await median(async () => void git("diff"));
    const diff = await median(() => workspace.diff("all", live));
    report(`diff, ${CHANGED} changed`, diff, "git diff", gitDiff);
    await benchWayBack(workspace, root);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The whole way: an import, what changed since, and its commit, beside a copy and what git says of the same changes. */
async function benchWayBack(workspace: Workspace, root: string): Promise<void> {
  const live = new AbortController().signal;
  const copy = `${root}-copy`;
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
  const rounds: { readonly ours: number; readonly raw: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(copy, { recursive: true, force: true });
    git("add", "-A");
    const copied = await timed(async () => void execFileSync("cp", ["-r", root, copy]));
    const imported = await timed(() => workspace.import({ root, uncommitted: "discard" }, live));
    for (let n = 0; n < CHANGED; n++) {
      const path = nameOf(n * (FILES / CHANGED));
      await workspace.write(path, `${await workspace.readText(path, live)}round ${round}\n`, live);
    }
    let changeSet = "";
    const looked = await timed(async () => void ({ id: changeSet } = await workspace.status(live)));
    const committed = await timed(() => workspace.commit({ changeSet, paths: "all" }, live));
    const told = await timed(async () => void git("diff"));
    rounds.push({ ours: imported + looked + committed, raw: copied + told });
  }
  reportRatio(`workspace  import, change set and commit, ${FILES} files`, "ms", rounds, 2);
}

function nameOf(n: number): string {
  return `folder-${Math.floor(n / PER_FOLDER)}/file-${n}.txt`;
}

function makeFiles(root: string): void {
  for (let n = 0; n < FILES; n++) {
    mkdirSync(join(root, nameOf(n), ".."), { recursive: true });
    const lines = Array.from(
      { length: 60 },
      (_, line) => `file ${n} line ${line}: some words of a document\n`,
    );
    writeFileSync(join(root, nameOf(n)), lines.join(""));
  }
}

function walkFiles(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === ".git") continue;
    const path = join(folder, entry.name);
    size += entry.isDirectory() ? walkFiles(path) : statSync(path).size;
  }
  return size;
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function report(what: string, oursMs: number, peer: string, peerMs: number): void {
  const [ours, theirs] = [oursMs, peerMs].map((ms) => `${ms.toFixed(1)} ms`);
  console.log(
    `workspace  ${what}, ${FILES} files  ${ours}  ${peer} ${theirs}  ratio ${(oursMs / peerMs).toFixed(2)}`,
  );
}
