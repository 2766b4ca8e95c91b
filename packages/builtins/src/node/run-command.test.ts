import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  chooseSandbox,
  createSandboxRecord,
  createNoSandbox,
  createCommandRunner,
} from "./choose-sandbox.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "deputy-command-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "sub"));
const live = new AbortController().signal;

function setup(maxOutputBytes = 1_000) {
  const lines: string[] = [];
  const runner = createCommandRunner({
    chooseSandbox: createNoSandbox,
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
  return { run, runner, lines };
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

test("[TB10] a sandbox that is asked for and missing is said, and nothing runs without it", async () => {
  const record = createSandboxRecord(join(folder, "record"));
  const missing = {
    program: join(folder, "no-bwrap"),
    network: "none",
    readable: [],
    writable: [],
    hidden: [],
    isRoot: false,
  } as const;
  expect(chooseSandbox("none", missing, record).level.name).toBe("none");
  expect(chooseSandbox("auto", missing, record).level).toMatchObject({
    name: "none",
    reach: expect.stringContaining("No sandbox"),
  });
  expect(() => chooseSandbox("bubblewrap", missing, record)).toThrow(
    expect.objectContaining({ code: "sandbox_unavailable" }),
  );
  const runner = createCommandRunner({
    chooseSandbox: () => chooseSandbox("bubblewrap", missing, record),
    folder: async () => folder,
    env: {},
    maxOutputBytes: 10,
  });
  expect(runner.reach()).toContain("It will not run");
  const order = { command: "touch ran", cwd: "", timeoutMs: 1_000, onLine: () => undefined };
  await expect(runner.run(order, live)).rejects.toMatchObject({ code: "sandbox_unavailable" });
});

test("[TB10] once bubblewrap was promised, no later process makes do with less, unless the settings say so", () => {
  const missing = {
    program: join(folder, "no-bwrap"),
    network: "none",
    readable: [],
    writable: [],
    hidden: [],
    isRoot: false,
  } as const;
  const file = join(folder, "promised");
  createSandboxRecord(file).promise();
  const afterRestart = createSandboxRecord(file);
  expect(() => chooseSandbox("auto", missing, afterRestart)).toThrow(
    expect.objectContaining({
      code: "sandbox_unavailable",
      message: expect.stringContaining("does not work any more"),
    }),
  );
  expect(chooseSandbox("none", missing, afterRestart).level.name).toBe("none");
  expect(() => createSandboxRecord(join(folder, "no", "folder")).promise()).toThrow(
    expect.objectContaining({ code: "sandbox_unavailable" }),
  );
});
