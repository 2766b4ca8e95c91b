import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { workspaceState } from "./workspace-state.ts";

let folder: string;
let outside: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deputy-test-"));
  outside = mkdtempSync(join(tmpdir(), "deputy-test-"));
  for (const name of ["sub", "node_modules", ".git"]) mkdirSync(join(folder, name));
  for (const name of ["run.sh", "sub/data.txt", "node_modules/lib.js", ".git/config"])
    writeFileSync(join(folder, name), "one");
  writeFileSync(join(outside, "far.sh"), "one");
  symlinkSync(join(outside, "far.sh"), join(folder, "link"));
});
afterEach(() => {
  for (const one of [folder, outside]) rmSync(one, { recursive: true });
});

const state = (command = "x") => workspaceState(command, { folder, cwd: "" });

test.each<readonly [what: string, change: () => void]>([
  ["a file says something else", () => writeFileSync(join(folder, "run.sh"), "two")],
  ["one deep inside does", () => writeFileSync(join(folder, "sub/data.txt"), "two")],
  ["one of node_modules does", () => writeFileSync(join(folder, "node_modules/lib.js"), "two")],
  ["one of git's own does", () => writeFileSync(join(folder, ".git/config"), "two")],
  ["one has come", () => writeFileSync(join(folder, "sub/new"), "")],
  ["one has gone", () => rmSync(join(folder, "run.sh"))],
  ["two have changed places", () => renameSync(join(folder, "run.sh"), join(folder, "sub/data.txt"))],
  ["one may be executed now", () => chmodSync(join(folder, "run.sh"), 0o755)],
  [
    "one says something else, and its time was set back",
    () => {
      writeFileSync(join(folder, "run.sh"), "two");
      utimesSync(join(folder, "run.sh"), 1, 1);
    },
  ],
  ["what a link leads to has changed", () => writeFileSync(join(outside, "far.sh"), "two")],
])("[TB20] the workspace is another when %s", async (_what, change) => {
  const before = await state();
  expect(await state()).toBe(before);
  change();
  expect(await state()).not.toBe(before);
});

test("[TB20] a file elsewhere counts where the line names it", async () => {
  rmSync(join(folder, "link"));
  const [before, named] = [await state(), await state(`sh '${outside}/far.sh'`)];
  writeFileSync(join(outside, "far.sh"), "two");
  expect(await state()).toBe(before);
  expect(await state(`sh '${outside}/far.sh'`)).not.toBe(named);
});

test("[TB20] a file that changes twice in the same moment is another", async () => {
  for (let n = 0; n < 10; n += 1) {
    writeFileSync(join(folder, "run.sh"), "one");
    const before = await state();
    writeFileSync(join(folder, "run.sh"), "two");
    expect(await state()).not.toBe(before);
  }
});

test("[TB20] pipes, devices and what the kernel makes up are passed over without waiting", async () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const line = "cat pipe /dev/zero /proc/self/status /proc/uptime sub/ \0";
  expect(await state(line)).toBe(await state(line));
});

test("[TB20] where a part is too deep to be looked at, no two states are the same", async () => {
  const before = await state();
  const deep = `cd '${folder}' && for n in $(seq 20); do mkdir ${"d".repeat(250)} && cd ${"d".repeat(250)}; done; echo one > run.sh`;
  execFileSync("bash", ["-c", deep]);
  const states = new Set([before, await state(), await state()]);
  expect(states.size).toBe(3);
});
