import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createPlace } from "../../sandbox/command-place.ts";
import { createCommandRunner } from "../command-runner.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { placeTerms } from "./place-terms.ts";
import { runnerParts, TERMS } from "./places.fixture.ts";
import { probeSandbox } from "./probe-sandbox.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "deputy-bwrap-")));
// A folder that is root's alone would be hidden anyway from what is not.
chmodSync(scratch, 0o755);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const home = join(scratch, "home");
const tree = join(home, "workspace", "tree");
mkdirSync(tree, { recursive: true });
writeFileSync(join(home, "key"), "the key");
const shared = join(scratch, "shared");
mkdirSync(shared);
writeFileSync(join(shared, "text"), "shared text");

const options = {
  program: "bwrap",
  network: "none",
  readable: [],
  writable: [],
  hidden: [home],
  isRoot: process.getuid?.() === 0,
} as const;
type Options = Readonly<
  Omit<typeof options, "program" | "network" | "readable" | "writable" | "isRoot"> & {
    program: string;
    network: "none" | "host";
    readable: readonly string[];
    writable: readonly string[];
    isRoot: boolean;
  }
>;

function placeOf(changed: Partial<Options> = {}) {
  const all = { ...options, ...changed };
  const sandbox = createBubblewrap({ program: all.program, isRoot: all.isRoot });
  const terms = placeTerms({ ...all, limits: TERMS.limits });
  return { place: () => createPlace(sandbox, terms), probe: () => probeSandbox(sandbox, terms) };
}

/** Why it does not hold; undefined if it does. */
function probe(changed: Partial<Options> = {}): string | undefined {
  const found = placeOf(changed).probe();
  return found.kind === "holds" ? undefined : found.why;
}

/** Whether a sandbox could be had here, whatever Deputy makes of it. */
const isPossible =
  existsSync("/usr/bin/setpriv") &&
  spawnSync("bwrap", [
    ..."--ro-bind / / --proc /proc --dev /dev".split(" "),
    ..."--unshare-ipc --unshare-pid --unshare-uts --unshare-net true".split(" "),
  ]).status === 0;
const works = isPossible && probe() === undefined;
const live = new AbortController().signal;

/** A `bwrap` that does what it is told, and more, right before the command. */
function fake(more: string): string {
  const program = join(scratch, `bwrap-${more.replaceAll(/\W/g, "")}`);
  const script = `#!/bin/bash\nargs=(); for a in "$@"; do [ "$a" = -- ] && [ -z "$done" ] && { args+=(${more}); done=1; }; args+=("$a"); done\nexec bwrap "\${args[@]}"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}

function runner(changed: Partial<Options> = {}) {
  const made = createCommandRunner({
    ...runnerParts(),
    choosePlace: async () => placeOf(changed).place(),
    folder: async () => tree,
    env: { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-secret", HOME: scratch },
    maxOutputBytes: 10_000,
  });
  const run = (command: string, signal = live, timeoutMs = 20_000) =>
    made.run({ command, cwd: "", timeoutMs, onLine: () => undefined }, signal);
  return { run, reach: () => made.reach() };
}

test.skipIf(!isPossible && process.env["DEPUTY_CI"] === undefined)(
  "[TB9] bubblewrap works on this machine: else what follows is skipped",
  () => {
    expect(probe()).toBeUndefined();
  },
);

describe.skipIf(!works)("commands in bubblewrap", () => {
  test("[TB9] whoever the command is, it can read what programs need of the system's settings", async () => {
    const { run } = runner();
    const needed = ["/etc/passwd", "/etc/group", "/etc/alternatives"].filter((path) => existsSync(path));
    const looked = await run(`ls -d ${needed.join(" ")}; id -un; ls /etc/gitconfig`);
    expect(looked.stdout).toContain(needed.toSorted().join("\n"));
    expect(looked.stderr).not.toMatch(/permission denied/i);
  });

  test("[TB9] the workspace can be changed, and nothing else", async () => {
    const { run } = runner();
    expect(await run("pwd; echo made > file; mkdir -p a/b; cat file")).toMatchObject({
      stdout: "/workspace\nmade\n",
      exitCode: 0,
      sandbox: "bubblewrap",
    });
    expect(readFileSync(join(tree, "file"), "utf8")).toBe("made\n");
    const places = ["/usr/x", "/etc/x", "/bin/x", "/opt/x", "/x", "/home/x", "/var/x", join(scratch, "x")];
    for (const place of places) {
      const { exitCode } = await run(`echo no > ${place}`);
      expect([place, exitCode === 0 && existsSync(place)]).toEqual([place, false]);
    }
    expect((await run("echo temporary > /tmp/t && cat /tmp/t")).stdout).toBe("temporary\n");
    expect((await run("cat /tmp/t")).exitCode).not.toBe(0);
  });

  test("[TB9] Deputy's home cannot be seen, not by its path, a link, or a folder around it", async () => {
    symlinkSync(join(home, "key"), join(tree, "link"));
    const ways = [
      `cat ${home}/key`,
      `ls ${home}`,
      "cat link",
      "cat ../../key",
      "cat /proc/1/root/../key",
      `find / -name key -size -2 -print -exec cat {} + 2>/dev/null | grep -a 'the key'`,
    ];
    const plain = runner();
    const around = runner({ readable: [scratch], writable: [scratch] });
    for (const { run } of [plain, around])
      for (const way of ways)
        expect([way, (await run(way)).stdout.includes("the key")]).toEqual([way, false]);
    expect((await around.run(`cat ${shared}/text`)).stdout).toBe("shared text");
    const told = runner({ readable: [home], writable: [home] });
    expect((await told.run(`cat ${home}/key`)).stdout).not.toContain("the key");
  });

  test("[TB9] folders that the settings add can be read, or written", async () => {
    expect((await runner().run(`cat ${shared}/text`)).exitCode).not.toBe(0);
    const reader = runner({ readable: [shared] });
    expect((await reader.run(`cat ${shared}/text && echo no > ${shared}/text`)).stdout).toBe("shared text");
    expect(readFileSync(join(shared, "text"), "utf8")).toBe("shared text");
    // Deputy makes only the workspace the command's own.
    if (options.isRoot) chownSync(shared, 65_534, 65_534);
    await runner({ writable: [shared] }).run(`echo yes > ${shared}/text2`);
    expect(readFileSync(join(shared, "text2"), "utf8")).toBe("yes\n");
  });

  test("[TB9] there is no network, unless the settings give it", async () => {
    const server = createServer((socket) => socket.end("hello from outside\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
      expect((await runner().run(ask)).stdout).toBe("");
      expect((await runner({ network: "host" }).run(ask)).stdout).toBe("hello from outside\n");
    } finally {
      server.close();
    }
  });

  test("[TB9] no key of Deputy's environment is in a command's, nor in that of a process it can see", async () => {
    const { run } = runner();
    const { stdout } = await run("env; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'");
    expect(stdout).not.toContain("sk-secret");
    expect(stdout).toContain("PATH=");
    expect(Number(stdout.trim().split("\n").at(-1))).toBeLessThan(10);
  });

  test("[TB8] what a command left behind ends with it, even what left its group", async () => {
    const mark = `${process.pid}${Date.now()}`.slice(-9);
    const sleepers = (): string => spawnSync("pgrep", ["-f", `sleep ${mark}`], { encoding: "utf8" }).stdout;
    const { run } = runner();
    await run(`setsid sleep ${mark} & nohup sleep ${mark} & echo started`);
    await expect.poll(sleepers).toBe("");
    const { timedOut, exitCode } = await run(`setsid sleep ${mark} & sleep ${mark}`, live, 300);
    expect({ timedOut, exitCode }).toEqual({ timedOut: true, exitCode: 124 });
    await expect.poll(sleepers).toBe("");
  });

  test("[TB22] a command is not root, whoever Deputy is, and cannot change the kernel's settings", async () => {
    const { run } = runner();
    const settings = ["kernel/core_pattern", "vm/swappiness", "kernel/hostname", "fs/suid_dumpable"];
    for (const setting of settings) {
      // What it says already, so that nothing happens where this is not refused.
      const { stdout } = await run(
        `f=/proc/sys/${setting}; v=$(cat $f) && printf '%s\\n' "$v" > $f && echo changed`,
      );
      expect([setting, stdout]).toEqual([setting, ""]);
    }
    for (const place of ["/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/sys/power/state"])
      expect([place, (await run(`: >> ${place} && echo opened`)).stdout]).toEqual([place, ""]);
    const { stdout } = await run(
      "touch mine; grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status",
    );
    expect(stdout.replaceAll(/\s+/g, " ").trim()).toBe(
      "CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000 CapBnd: 0000000000000000 CapAmb: 0000000000000000 NoNewPrivs: 1",
    );
    // The kernel's own view of who it was.
    expect(statSync(join(tree, "mine")).uid).not.toBe(0);
  });

  test("[TB22] it can change whatever is in the workspace, whoever made it there, and Deputy what it made", async () => {
    mkdirSync(join(tree, "deep", "er"), { recursive: true, mode: 0o700 });
    writeFileSync(join(tree, "deep", "er", "private"), "of Deputy", { mode: 0o600 });
    writeFileSync(join(scratch, "outside"), "of Deputy", { mode: 0o600 });
    symlinkSync(join(scratch, "outside"), join(tree, "deep", "out"));
    const before = statSync(join(scratch, "outside"));
    const { run } = runner();
    const changed = await run(
      "cd deep/er && cat private && echo ' and mine' >> private && umask 077 && mkdir own && echo x > own/file",
    );
    expect(changed).toMatchObject({ exitCode: 0, stdout: "of Deputy" });
    expect(readFileSync(join(tree, "deep", "er", "private"), "utf8")).toBe("of Deputy and mine\n");
    writeFileSync(join(tree, "deep", "er", "own", "file"), "Deputy's", { flag: "a" });
    writeFileSync(join(tree, "deep", "er", "own", "new"), "Deputy's");
    expect((await run("cat deep/er/own/* && rm -r deep")).stdout).toBe("x\nDeputy'sDeputy's");
    expect(existsSync(join(tree, "deep"))).toBe(false);
    const after = statSync(join(scratch, "outside"));
    expect([after.uid, after.gid, after.ctimeMs]).toEqual([before.uid, before.gid, before.ctimeMs]);
    expect((await run("echo t > /dev/shm/t && echo t > ~/t && cat ~/t")).stdout).toBe("t\n");
  });

  test("[TB22] a sandbox that does not hold is found out by trying it, and is not one", () => {
    const holes: Readonly<Record<string, readonly [Partial<Options>, RegExp]>> = {
      ...(options.isRoot ? { "the kernel's settings": [{ isRoot: false }, /kernel/] } : {}),
      "the system": [{ program: fake("--perms 1777 --tmpfs /opt") }, /\/opt/],
      "the network": [{ program: fake("--share-net") }, /network/],
      "the home": [{ program: fake(`--perms 0755 --dir ${scratch} --bind ${home} ${home}`) }, /Deputy/],
      "nothing at all": [{ program: "/bin/true" }, /./],
      "no workspace": [{ program: fake("--tmpfs /workspace") }, /workspace/],
    };
    for (const [name, [hole, why]] of Object.entries(holes))
      expect([name, probe(hole)]).toEqual([name, expect.stringMatching(why)]);
  });

  test("[TB9] what it runs in is told in words", async () => {
    expect(await runner().reach()).toContain("no network");
    expect(await runner({ network: "host" }).reach()).not.toContain("no network");
  });
});
