import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createBubblewrap, probeBubblewrap } from "./bubblewrap.ts";
import { createCommandRunner } from "./create-command-runner.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "deputy-bwrap-")));
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
} as const;
const works = spawnSync("bwrap", ["--version"]).status === 0 && probeBubblewrap(options) === undefined;
const live = new AbortController().signal;

function runner(changed: Partial<Parameters<typeof createBubblewrap>[0]> = {}) {
  const made = createCommandRunner({
    chooseSandbox: () => createBubblewrap({ ...options, ...changed }),
    folder: async () => tree,
    env: { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-secret", HOME: scratch },
    maxOutputBytes: 10_000,
  });
  const run = (command: string, signal = live, timeoutMs = 20_000) =>
    made.run({ command, cwd: "", timeoutMs, onLine: () => undefined }, signal);
  return { run, reach: () => made.reach() };
}

test.skipIf(!works && process.env["DEPUTY_CI"] === undefined)(
  "[TB9] bubblewrap works on this machine: else what follows is skipped",
  () => {
    expect(probeBubblewrap(options)).toBeUndefined();
  },
);

describe.skipIf(!works)("commands in bubblewrap", () => {
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
    await expect.poll(sleepers, { timeout: 5_000 }).toBe("");
    const { timedOut, exitCode } = await run(`setsid sleep ${mark} & sleep ${mark}`, live, 300);
    expect({ timedOut, exitCode }).toEqual({ timedOut: true, exitCode: 124 });
    await expect.poll(sleepers, { timeout: 5_000 }).toBe("");
  });

  test("[TB9] what it runs in is told in words", () => {
    expect(runner().reach()).toContain("no network");
    expect(runner({ network: "host" }).reach()).not.toContain("no network");
  });
});
