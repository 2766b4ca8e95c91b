import { type ChildProcess, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openContainedShell } from "@deputy/contained-shell/node";
import type { ContainedLimits } from "@deputy/contained-shell";
import type { OuterSandbox } from "@deputy/tools";
import createUnshareSandbox from "../../../../../examples/sandbox/unshare-sandbox.ts";
import { createPlace } from "../../sandbox/command-place.ts";
import type { SandboxEntry } from "../../sandbox/sandbox-audit.ts";
import { createCommandRunner } from "../command-runner.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createOuterShell } from "./outer-shell.ts";
import { runnerParts, TERMS } from "./places.fixture.ts";
import { probeSandbox } from "./probe-sandbox.ts";

const SECRET = "the-secret-of-the-disk";
const live = new AbortController().signal;
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "deputy-outer-")));
chmodSync(scratch, 0o755);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const home = join(scratch, "home");
const tree = join(home, "tree");
mkdirSync(join(tree, "folder"), { recursive: true });
writeFileSync(join(home, "secret"), SECRET);
writeFileSync(join(tree, "in.txt"), "in\n");
symlinkSync(join(home, "secret"), join(tree, "leak"));
symlinkSync("/proc/self/root", join(tree, "root"));

const isRoot = process.getuid?.() === 0;
const terms = { ...TERMS, hidden: [home] };
const sandboxes: readonly OuterSandbox[] = [
  createBubblewrap({ program: "bwrap", isRoot }),
  createUnshareSandbox({ name: "unshare", settings: {} }),
];
const works = sandboxes.filter((sandbox) => probeSandbox(sandbox, terms).kind === "holds");
const isPossible = spawnSync("unshare", [...(isRoot ? [] : ["--user"]), "--mount", "true"]).status === 0;

test.skipIf(!isPossible && process.env["DEPUTY_CI"] === undefined)(
  "[TB40] both sandboxes work on this machine: else what follows is skipped",
  () => expect(works.map(({ name }) => name)).toEqual(["bubblewrap", "unshare"]),
);

function openShell(sandbox: OuterSandbox) {
  const entries: SandboxEntry[] = [];
  const place = createPlace(sandbox, terms);
  const children: ChildProcess[] = [];
  const outer = createOuterShell(place, (entry) => void entries.push(entry));
  const start: typeof outer.start = (job) => {
    const started = outer.start(job);
    children.push(started.child);
    return started;
  };
  const shell = openContainedShell({ folder: async () => tree, outer: async () => ({ ...outer, start }) });
  const run = async (script: string, limits: Partial<ContainedLimits> = {}) => {
    let out = "";
    const output = (_stream: 1 | 2, bytes: Uint8Array): void => void (out += new TextDecoder().decode(bytes));
    const done = await shell.run({ script, limits }, { output }, live);
    return {
      out,
      end: done.end.kind === "exited" ? done.end.exitCode : done.end.limit,
      changes: done.changes,
    };
  };
  return { shell, run, entries, children, [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose]() };
}

describe.each(works.map((sandbox) => [sandbox.name, sandbox] as const))("scripts in %s", (name, sandbox) => {
  test("[TB42] give what they give in a thread: output, changes, pipelines, and files as they are then", async () => {
    await using world = openShell(sandbox);
    const { out, changes } = await world.run("cat in.txt; echo new > folder/new; yes | head -n 2");
    expect(out).toBe("in\ny\ny\n");
    expect(changes).toMatchObject([{ kind: "write", path: "folder/new" }]);
    expect(readdirSync(join(tree, "folder"))).toEqual([]);
    writeFileSync(join(tree, "later.txt"), "later\n", { mode: 0o600 });
    expect((await world.run("cat later.txt")).out).toBe("later\n");
    rmSync(join(tree, "later.txt"));
    await using session = world.shell.open();
    const quiet = { output: () => undefined };
    await session.run({ script: "x=5; cd folder" }, quiet, live);
    const done = await session.run({ script: "exit $x" }, quiet, live);
    expect(done).toMatchObject({ end: { exitCode: 5 }, cwd: "/workspace/folder" });
  });

  test("[TB42] their process sees the workspace to read, and neither the home nor a network", async () => {
    const entries: SandboxEntry[] = [];
    const place = createPlace(sandbox, { ...terms, network: "host" });
    const outer = createOuterShell(place, (entry) => void entries.push(entry));
    await outer.prepare(tree, live);
    const look = `ls ${home} 2>&1; (echo x > /workspace/in.txt) 2>&1; ls /workspace; cat /proc/net/dev; env`;
    const mounts = [{ from: tree, at: "/workspace", access: "read" }] as const;
    const { child } = outer.start({ file: "bash", args: ["-c", look], mounts });
    let out = "";
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
    await new Promise((resolve) => child.once("close", resolve));
    expect(out).toContain("in.txt");
    expect(out).not.toMatch(/secret|eth0|DEPUTY|NODE_/);
    expect(readFileSync(join(tree, "in.txt"), "utf8")).toBe("in\n");
  });

  test("[TB42] no path leads out, floods end by a limit, and each script is noted once", async () => {
    await using world = openShell(sandbox);
    for (const path of [
      "leak",
      `..${home}/secret`,
      `/proc/self/root${home}/secret`,
      `root${home}/secret`,
      "/etc/passwd",
    ])
      for (const script of [`cat ${path}`, `read x < ${path}; echo "$x"`, `cp ${path} /tmp/s && cat /tmp/s`])
        expect((await world.run(script)).out, script).not.toMatch(/the-secret|root:x:0/);
    const said = world.entries.length;
    const limits = { wallMs: 60_000, cpuMs: 1_500, processes: 32, fileBytes: 1_000_000 };
    for (const script of [
      ":(){ :|:& };:; wait",
      "while :; do echo x >> f; done",
      "cat /dev/zero",
      'x=a; while :; do x="$x$x"; done',
      "truncate -s 100G sparse && cat sparse",
    ]) {
      const { end, changes } = await world.run(script, limits);
      expect([script, end]).not.toEqual([script, 0]);
      // A file that may not become so long is made, and stays empty, as in bash with such a limit.
      const kept = changes.map((change) => (change.kind === "write" ? change.bytes.length : 0));
      expect([script, kept.filter((bytes) => bytes > 0)]).toEqual([script, []]);
      expect(await world.run("cat in.txt")).toMatchObject({ out: "in\n", end: 0 });
    }
    expect(world.entries.length - said).toBe(10);
    expect(world.entries[0]).toMatchObject({
      what: "script",
      place: name,
      order: { mounts: [{ from: tree, at: "/workspace", access: "read" }], network: "none" },
    });
  });

  test("[TB42] a stop ends a script, and one whose process is killed says so, keeps nothing, and is no end of others", async () => {
    await using world = openShell(sandbox);
    const stop = new AbortController();
    const stopped = world.shell.run(
      { script: "echo begun; sleep 1000" },
      { output: () => stop.abort(new Error("enough")) },
      stop.signal,
    );
    await expect(stopped).rejects.toThrow("enough");
    const killed = world.shell.run(
      { script: "echo x > f; echo begun; sleep 1000" },
      { output: () => void world.children.at(-1)?.kill("SIGKILL") },
      live,
    );
    expect(await killed).toMatchObject({ end: { kind: "limit", limit: "crashed" }, changes: [] });
    expect((await world.run("cat in.txt")).out).toBe("in\n");
  });
});

describe.each(works.map((sandbox) => [sandbox.name, sandbox] as const))(
  "commands in %s",
  (_name, sandbox) => {
    const runner = createCommandRunner({
      ...runnerParts(),
      choosePlace: async () =>
        createPlace(sandbox, { ...terms, limits: { ...terms.limits, memoryBytes: 256 * 1024 ** 2 } }),
      folder: async () => tree,
      env: { PATH: process.env["PATH"] },
      maxOutputBytes: 10_000,
    });
    const run = (command: string, timeoutMs = 60_000) =>
      runner.run({ command, cwd: "", timeoutMs, onLine: () => undefined }, live);

    test("[TB40] the third party's sandbox keeps what bubblewrap keeps: files, home, network, rights, limits, the end", async () => {
      const ways = [
        `cat ${home}/secret; cat leak; cat root${home}/secret; cat /proc/1/root${home}/secret`,
        `ls ${home} ${scratch}; find / -name secret -not -path '/proc/*' 2>/dev/null | xargs cat`,
        "mkdir -p up && cd up && ln -s ../../../.. top && cat top/home/secret; rm -rf ../up",
      ];
      for (const way of ways) expect((await run(way)).stdout, way).not.toContain(SECRET);
      for (const place of ["/usr/x", "/etc/x", "/bin/x", "/x", join(scratch, "x")])
        expect((await run(`echo no > ${place}; [ -e ${place} ] && echo written`)).stdout).not.toContain(
          "written",
        );
      expect((await run("cat /proc/net/dev")).stdout).not.toMatch(/eth|ens|wlan/);
      expect((await run("grep Cap /proc/self/status")).stdout).toMatch(/(?:0{16}\s*(?:Cap\w+:\s*)?)+$/);
      expect((await run("dd if=/dev/zero of=/dev/null bs=400000000 count=1")).exitCode).not.toBe(0);
      expect((await run("truncate -s 100G sparse; wc -c < sparse; rm -f sparse")).stdout).toBe("0\n");
      expect(await run("echo a > made; cat made; rm made")).toMatchObject({ stdout: "a\n", exitCode: 0 });
      const mark = `${process.pid}${Date.now()}`.slice(-9);
      const left = `setsid sleep ${mark} > /dev/null 2>&1 & sleep 0.2; echo left`;
      expect((await run(left)).stdout).toBe("left\n");
      const sleepers = (): string =>
        spawnSync("pgrep", ["-f", `^sleep ${mark}`], { encoding: "utf8" }).stdout;
      await expect.poll(sleepers, { timeout: 10_000 }).toBe("");
    });
  },
);

const LIARS: Readonly<Record<string, readonly [Partial<OuterSandbox>, RegExp]>> = {
  "shows everything": [
    { enter: ({ file, args, cwd, env }) => ({ file, args, cwd: cwd === "/workspace" ? "/" : cwd, env }) },
    /./,
  ],
  "runs nothing": [{ enter: ({ env }) => ({ file: "/bin/true", args: [], cwd: "/", env }) }, /does not run/],
  "is not there": [
    { enter: ({ env }) => ({ file: "/no/such/program", args: [], cwd: "/", env }) },
    /not installed/,
  ],
};

test.each(Object.entries(LIARS))(
  "[TB40] a sandbox that %s is found out by trying it",
  (_name, [lie, why]) => {
    const base = createBubblewrap({ program: "bwrap", isRoot });
    const found = probeSandbox({ ...base, ...lie, name: "liar" }, terms);
    expect(found).toEqual({ kind: "fails", why: expect.stringMatching(why) });
  },
);
