import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TaskDetail, taskDetailSchema } from "@deputy/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, type Daemon, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

/** What plugins must not take down: a daemon, and the tools of another plugin. */
const POISON = (marker: string): string => `import { writeFileSync } from "node:fs";
import { defineTool } from "@deputy/tools";
import { z } from "zod";
const tool = (run, more = {}) =>
  defineTool({ description: "Poison", approval: "auto", effect: "read", args: z.object({}), run, ...more });
const never = () => new Promise(() => setInterval(() => {}, 1_000));
export default { poison: {
  exit0: tool(() => process.exit(0)),
  exit1: tool(() => process.exit(1)),
  write: tool(() => process.exit(1), { effect: "write" }),
  loop: tool(() => { for (;;); }, { limits: { timeoutMs: 200 } }),
  microtasks: tool(async () => { for (;;) await 0; }, { limits: { timeoutMs: 200 } }),
  endless: tool(() => { writeFileSync(${JSON.stringify(marker)}, ""); for (;;); }),
  memory: tool(() => { const kept = []; for (;;) kept.push(new Array(3e7).fill(0)); }),
  stray: tool(() => { setTimeout(() => { throw new Error("boom"); }); return never(); }),
  rejection: tool(() => { void Promise.reject(new Error("to nobody")); return never(); }),
} };`;

const FINE = `import { defineTool } from "@deputy/tools";
import { z } from "zod";
let calls = 0;
export default { fine: { count: defineTool({ description: "Counts", approval: "auto", args: z.object({}), run: () => (calls += 1) }) } };`;

const home = scratchDirectory();
const marker = join(home.path, "looping");
let daemon: Daemon;
let counted = 0;
beforeAll(async () => {
  mkdirSync(join(home.path, "plugins"));
  writeFileSync(join(home.path, "plugins", "poison.ts"), POISON(marker));
  writeFileSync(join(home.path, "plugins", "fine.ts"), FINE);
  daemon = await startDaemon(home.path);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

async function begin(client: Client, code: string): Promise<string> {
  const program = { code, language: "typescript" };
  const response = await client.post("/api/tasks", { program });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const readTask = async (client: Client, id: string): Promise<TaskDetail> =>
  taskDetailSchema.parse(await (await client.fetch(`/api/tasks/${id}`)).json());

async function run(code: string): Promise<TaskDetail> {
  const id = await begin(daemon, code);
  await expect
    .poll(async () => (await readTask(daemon, id)).status, { timeout: 25_000 })
    .toMatch(/succeeded|failed|cancelled/);
  return await readTask(daemon, id);
}

/** A task whose tool loops by now. */
async function loop(client: Client): Promise<string> {
  rmSync(marker, { force: true });
  const id = await begin(client, "return await tools.poison.endless({});");
  await expect.poll(() => existsSync(marker), { timeout: 20_000 }).toBe(true);
  return id;
}

/** One program calls the poison, and then a tool of another plugin. */
const sip = (tool: string): string =>
  `const said = await tools.poison.${tool}({}).catch((error) => error.message); return [said, await tools.fine.count({})];`;

test.each([
  ["exit0", "failed", "ended its process (exit code 0)"],
  ["exit1", "failed", "ended its process (exit code 1)"],
  ["write", "unknown", "ended its process (exit code 1)"],
  ["loop", "failed", "It took longer than 200 ms"],
  ["microtasks", "failed", "It took longer than 200 ms"],
  ["memory", "failed", "ran out of memory"],
  ["stray", "failed", "threw an error that nothing caught: boom"],
  ["rejection", "failed", "left a rejected promise to nobody: to nobody"],
] as const)(
  "[E720] a plugin that does %s ends its call with a clear receipt, and nothing else",
  async (tool, status, words) => {
    const task = await run(sip(tool));
    counted += 1;
    expect(task.status).toBe("succeeded");
    expect(task.result).toEqual([expect.stringContaining(words), counted]);
    expect(task.receipts).toMatchObject([{ toolPath: `poison.${tool}`, status }, { status: "succeeded" }]);
    if (!words.startsWith("It took")) expect(String((task.result as unknown[])[0])).toContain("poison.ts");
    expect((await daemon.fetch("/health")).status).toBe(200);
    expect(daemon.child.exitCode).toBeNull();
  },
);

test("[E721] a loop without a limit leaves Deputy usable, ends with its task, and does not keep SIGTERM waiting", async () => {
  const looping = await loop(daemon);
  expect((await run("return await tools.fine.count({});")).result).toBe(counted + 1);
  expect((await daemon.post(`/api/tasks/${looping}/cancel`, {})).ok).toBe(true);
  await expect
    .poll(async () => (await readTask(daemon, looping)).status, { timeout: 20_000 })
    .toBe("cancelled");
  expect((await run(sip("exit0"))).status).toBe("succeeded");

  await loop(daemon);
  // Another code would mean that the deadline has ended it.
  expect(await daemon.end("SIGTERM")).toBe(0);
}, 60_000);

test("[E722] a plugin that ends or loops while it is loaded does not end who loads it", async () => {
  using other = scratchDirectory();
  const check = async (text: string, ...args: string[]) => {
    const plugin = join(other.path, "loads.ts");
    writeFileSync(plugin, text);
    return await runDeputy(["tools", "types", "--tools", plugin, "--home", other.path, ...args]);
  };
  const exits = await check("process.exit(0);");
  expect(exits.code).toBe(1);
  expect(exits.stderr).toMatch(
    /loads\.ts could not be loaded: it ended its process \(exit code 0\) \(plugin_failed\)/,
  );
  const wrong = await check("const n: number = 1;\nexport default {\n");
  expect(wrong.stderr).toMatch(/loads\.ts:\d+\) \(plugin_failed\)\n +Fix that line; .*deputy tools remove/);
});

/** Where the kernel can be asked to end a process with its parent. */
const hasSetpriv = process.env["DEPUTY_CI"] === "1" || spawnSync("setpriv", ["--version"]).status === 0;

test.skipIf(!hasSetpriv)(
  "[E723] killed, Deputy leaves no plugin's process behind, even one that loops",
  async () => {
    await using next = await startDaemon(home.path);
    await loop(next);
    const children = execFileSync("pgrep", ["-P", String(next.child.pid)], { encoding: "utf8" });
    const started = children.trim().split("\n").map(Number);
    await next.end("SIGKILL");
    const isThere = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => started.filter(isThere)).toEqual([]);
  },
);
