import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CommandLimits } from "@deputy/tools";
import type { SandboxEntry } from "../sandbox/sandbox-audit.ts";
import { createCommandRunner } from "./command-runner.ts";
import { chooseSandbox } from "./sandbox/choose-sandbox.ts";
import { openNoPlace, runnerParts, TERMS } from "./sandbox/places.fixture.ts";
import { createSandboxRecord } from "./sandbox/sandbox-record.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "deputy-command-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "sub"));
const live = new AbortController().signal;

function setup(
  maxOutputBytes = 1_000,
  limits: Partial<CommandLimits> = {},
  more: { outputBytes?: number } = {},
) {
  const lines: string[] = [];
  const entries: SandboxEntry[] = [];
  const runner = createCommandRunner({
    ...runnerParts(entries),
    ...more,
    choosePlace: async () => openNoPlace(limits),
    folder: async () => folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      ANTHROPIC_API_KEY: "sk-1",
      DEPUTY_TOKEN: "t",
      LC_ALL: "C",
      SSH_AUTH_SOCK: "s",
    },
    maxOutputBytes,
  });
  const run = (command: string, changed: { cwd?: string; timeoutMs?: number; signal?: AbortSignal } = {}) => {
    const { cwd = "", timeoutMs = 20_000, signal = live } = changed;
    return runner.run({ command, cwd, timeoutMs, onLine: (line) => lines.push(line) }, signal);
  };
  return { run, runner, lines, entries };
}

test("[TB7] a command runs in the workspace, and gives its output and exit code", async () => {
  const { run } = setup();
  expect(await run("pwd; echo err >&2; exit 3")).toMatchObject({
    stdout: `${folder}\n`,
    stderr: "err\n",
    exitCode: 3,
    timedOut: false,
    cut: { stdout: 0, stderr: 0 },
    sandbox: "none",
  });
  expect((await run("pwd", { cwd: "./sub/" })).stdout).toBe(`${folder}/sub\n`);
  expect((await run("kill -TERM $$")).exitCode).toBe(143);
  await expect(run("pwd", { cwd: "../" })).rejects.toMatchObject({ code: "path_refused" });
  await expect(run("pwd", { cwd: "none" })).rejects.toMatchObject({ code: "command_failed" });
  expect((await run("cat")).stdout).toBe("");
});

test("[TB23] no file that it writes becomes longer than it may", async () => {
  const { runner } = setup();
  const order = { cwd: "", timeoutMs: 20_000, maxFileBytes: 4_096, onLine: () => undefined };
  const { exitCode, stdout } = await runner.run(
    { ...order, command: "yes > big; wc -c < big; echo $0" },
    live,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "4096\nbash\n" });
});

test("[TB7] it knows nothing of keys, tokens and sockets", async () => {
  const { run } = setup();
  const names = (await run("env | cut -d= -f1")).stdout.trim().split("\n");
  expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "LC_ALL", "TERM"]));
  for (const name of ["ANTHROPIC_API_KEY", "DEPUTY_TOKEN", "SSH_AUTH_SOCK"])
    expect(names).not.toContain(name);
});

test("[TB7] of much output the beginning and the end are kept, and what is cut is told", async () => {
  const { run } = setup(1_000);
  const { stdout, stderr, cut } = await run("seq 1 100000; printf 'x%.0s' {1..1000} >&2");
  expect(stdout.startsWith("1\n2\n")).toBe(true);
  expect(stdout.endsWith("99999\n100000\n")).toBe(true);
  expect(stdout).toContain(`[… ${cut.stdout} bytes left out …]`);
  expect(cut.stdout).toBe(588_895 - 1_000);
  expect(stderr).toBe("x".repeat(1_000));
  expect((await run("head -c 50000000 /dev/zero")).cut.stdout).toBe(50_000_000 - 1_000);
});

test("[TB7] lines are told while it runs, not more than can be followed", async () => {
  const { run, lines } = setup();
  const { durationMs } = await run("echo first; sleep 0.4; for i in $(seq 1 5000); do echo $i; done");
  expect(lines[0]).toBe("first");
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.length).toBeLessThan(5 + durationMs / 50);
});

test("[TB8] time is limited; then, and on a stop, everything it started ends", async () => {
  const { run } = setup();
  const mark = `${process.pid}${Date.now()}`.slice(-9);
  const sleepers = (): string => spawnSync("pgrep", ["-f", `sleep ${mark}`], { encoding: "utf8" }).stdout;
  const slow = `echo begun; sleep ${mark} & (sleep ${mark}; true) & trap '' TERM; sleep ${mark}`;
  expect(await run(slow, { timeoutMs: 3_000 })).toMatchObject({
    stdout: "begun\n",
    timedOut: true,
    exitCode: 124,
  });
  await expect.poll(sleepers).toBe("");

  const stop = new AbortController();
  const stopped = run(slow, { signal: stop.signal });
  await expect.poll(sleepers).not.toBe("");
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  await expect.poll(sleepers).toBe("");
  await expect(run("true", { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
});

test("[TB8] what a command leaves in the background does not hold it up, and ends", async () => {
  const { run } = setup();
  const mark = `${process.pid}${Date.now()}`.slice(-9);
  const { stdout, timedOut } = await run(`sleep ${mark} & echo done`);
  expect({ stdout, timedOut }).toEqual({ stdout: "done\n", timedOut: false });
  const sleepers = (): string => spawnSync("pgrep", ["-f", `sleep ${mark}`], { encoding: "utf8" }).stdout;
  await expect.poll(sleepers).toBe("");
});

test(
  "[TB38] what a process computes, its memory, its files and all output are limited, and which limit it met is told",
  { timeout: 240_000 },
  async () => {
    const small = { cpuMs: 1_000, memoryBytes: 256 * 1024 ** 2, fileBytes: 100 * 1024 };
    const { run, entries } = setup(1_000, small, { outputBytes: 5_000_000 });
    expect(await run("while :; do :; done", { timeoutMs: 100_000 })).toMatchObject({
      exitCode: 152,
      stopped: "It wanted more time to compute than it may have.",
    });
    expect(await run("exec head -c 1000000 /dev/zero > big")).toMatchObject({
      exitCode: 153,
      stopped: expect.stringContaining("a longer file"),
    });
    const memory = await run("dd if=/dev/zero of=/dev/null bs=500000000 count=1; echo $?");
    expect(memory.stdout).not.toContain("0\n");
    const endless = await run("yes", { timeoutMs: 100_000 });
    expect(endless).toMatchObject({ exitCode: 137, stopped: expect.stringContaining("more output") });
    expect(await run("echo fine")).not.toHaveProperty("stopped");
    expect(entries.map(({ line, denied }) => [line.slice(0, 5), denied.length])).toEqual([
      ["while", 1],
      ["exec ", 1],
      ["dd if", 0],
      ["yes", 1],
      ["echo ", 0],
    ]);
  },
);

test("[TB39] each command is noted once with what it saw, might have and was kept from, also one that was stopped", async () => {
  const { run, entries } = setup();
  await run("exit 3");
  await run("sleep 100", { timeoutMs: 200 });
  const stop = new AbortController();
  const stopped = run("sleep 100", { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 300);
  await expect(stopped).rejects.toThrow("enough");
  expect(entries).toMatchObject([
    { what: "command", line: "exit 3", place: "none", exitCode: 3, denied: [], order: { network: "none" } },
    { exitCode: 124, denied: ["more time than 200 ms"] },
    { exitCode: 137, denied: [] },
  ]);
});

test("[TB10] a sandbox that is asked for and missing is said, and nothing runs without it", async () => {
  const options = placeOptions(join(folder, "record"));
  expect(chooseSandbox("none", options).name).toBe("none");
  expect(chooseSandbox("auto", options)).toMatchObject({
    name: "none",
    reach: expect.stringContaining("No sandbox"),
  });
  expect(() => chooseSandbox("bubblewrap", options)).toThrow(
    expect.objectContaining({ code: "sandbox_unavailable" }),
  );
  const runner = createCommandRunner({
    ...runnerParts(),
    choosePlace: async () => chooseSandbox("bubblewrap", options),
    folder: async () => folder,
    env: {},
    maxOutputBytes: 10,
  });
  expect(await runner.reach()).toContain("It will not run");
  const order = { command: "touch ran", cwd: "", timeoutMs: 1_000, onLine: () => undefined };
  await expect(runner.run(order, live)).rejects.toMatchObject({ code: "sandbox_unavailable" });
});

test("[TB10] once bubblewrap was promised, no later process makes do with less, unless the settings say so", () => {
  const file = join(folder, "promised");
  createSandboxRecord(file).promise("bubblewrap");
  const afterRestart = placeOptions(file);
  expect(() => chooseSandbox("auto", afterRestart)).toThrow(
    expect.objectContaining({
      code: "sandbox_unavailable",
      message: expect.stringContaining("does not work any more"),
    }),
  );
  expect(chooseSandbox("none", afterRestart).name).toBe("none");
  expect(() => createSandboxRecord(join(folder, "no", "folder")).promise("bubblewrap")).toThrow(
    expect.objectContaining({ code: "sandbox_unavailable" }),
  );
});

/** A machine without bubblewrap. */
function placeOptions(record: string) {
  return {
    terms: TERMS,
    bubblewrap: join(folder, "no-bwrap"),
    isRoot: false,
    record: createSandboxRecord(record),
  };
}
