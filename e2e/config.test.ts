import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

function setup(config?: unknown) {
  const scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  const file = join(home, "config.json");
  mkdirSync(home, { mode: 0o700 });
  if (config !== undefined) writeFileSync(file, JSON.stringify(config));
  const deputy = (args: readonly string[], env: Record<string, string> = {}) =>
    runDeputy([...args, "--home", home], { env, cwd: scratch.path });
  return {
    home,
    file,
    deputy,
    read: () => readFileSync(file, "utf8"),
    [Symbol.dispose]: scratch[Symbol.dispose],
  };
}

test("[E100] the first start creates empty settings, and one agent with every file", async () => {
  using world = setup();
  expect(await world.deputy(["run", "hi"])).toMatchObject({ code: 0 });
  expect(world.read()).toBe("{}\n");
  expect(statSync(world.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(world.home, "agents"))).toEqual(["main"]);
  expect(readdirSync(join(world.home, "agents", "main")).sort()).toEqual([
    "AGENTS.md",
    "HEARTBEAT.md",
    "MEMORY.md",
    "SOUL.md",
    "TOOLS.md",
    "USER.md",
  ]);
});

test("[E100] a later start leaves changes alone", async () => {
  using world = setup();
  await world.deputy(["run", "hi"]);
  const soul = join(world.home, "agents", "main", "SOUL.md");
  appendFileSync(soul, "Mine.");
  writeFileSync(world.file, '{ "future": 1 }');
  const { code, stderr } = await world.deputy(["run", "hi"]);
  expect(code).toBe(0);
  expect(stderr).toContain("there is no setting “future”");
  expect(readFileSync(soul, "utf8")).toMatch(/Mine\.$/);
  expect(world.read()).toBe('{ "future": 1 }');
});

test("[E101] get shows the effective value, and its source", async () => {
  using world = setup({ gateway: { port: 8_080 }, adapters: { slack: { botToken: "env:SLACK" } } });
  expect(await world.deputy(["config", "get", "gateway.port"])).toMatchObject({ code: 0, stdout: "8080\n" });
  expect((await world.deputy(["config", "get", "gateway.host"])).stdout).toBe("127.0.0.1\n");
  const overridden = await world.deputy(["config", "get", "gateway.port", "--json"], { DEPUTY_PORT: "9" });
  expect(jsonLines(overridden.stdout)).toEqual([
    { type: "setting", key: "gateway.port", value: 9, from: "DEPUTY_PORT" },
  ]);
  const all = await world.deputy(["config", "get"], { SLACK: "xoxb-the-secret-itself" });
  expect(JSON.parse(all.stdout)).toMatchObject({
    gateway: { port: 8_080, host: "127.0.0.1" },
    agent: { maxTurns: 200 },
  });
  expect(all.stdout).toContain("env:SLACK");
  expect(all.stdout + all.stderr).not.toContain("the-secret-itself");
});

test("[E101] set changes one setting, and only to a valid value", async () => {
  using world = setup({ future: { kept: true }, gateway: { port: 1 } });
  expect(await world.deputy(["config", "set", "gateway.port", "8080"])).toMatchObject({
    code: 0,
    stdout: "gateway.port is now 8080\n",
  });
  const changed = world.read();
  expect(JSON.parse(changed)).toEqual({ future: { kept: true }, gateway: { port: 8_080 } });
  for (const [key, value, message] of [
    ["gateway.port", "http", "gateway.port: Invalid input: expected number"],
    ["gateway.prot", "1", "Did you mean gateway.port"],
    ["adapters.slack.botToken", "xoxb-raw-secret", "must be a reference"],
  ] as const) {
    const { code, stdout, stderr } = await world.deputy(["config", "set", key, value]);
    expect(code, key).toBe(1);
    expect(stderr).toContain(message);
    expect(stdout + stderr).not.toContain("raw-secret");
    expect(world.read()).toBe(changed);
  }
  expect(readdirSync(world.home)).toEqual(["config.json"]);
});

test("[E101] path names the file without creating anything; check says what to fix", async () => {
  using world = setup({
    modle: "x",
    adapters: { slack: { socketMode: false } },
    providers: { openai: { apiKey: "env:NOT_SET" } },
  });
  expect((await world.deputy(["config", "path"])).stdout).toBe(`${world.file}\n`);
  expect(existsSync(join(world.home, "agents"))).toBe(false);
  mkdirSync(join(world.home, "skills", "Bad"), { recursive: true });
  writeFileSync(join(world.home, "skills", "Bad", "SKILL.md"), "---\nname: Bad\ndescription: x\n---\n");
  const { code, stdout, stderr } = await world.deputy(["config", "check"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Did you mean model");
  expect(stdout).toContain("env:NOT_SET gives no secret: it is not set");
  expect(stdout).toContain("The skill skills/Bad is passed over");
  expect(stderr).toContain("adapters.slack.socketMode has no effect in this version.");
  const lines = jsonLines((await world.deputy(["config", "check", "--json"])).stdout);
  expect(lines.at(-1)).toMatchObject({ type: "checked", agents: ["main"], problems: 3 });
  writeFileSync(world.file, '{ "gateway": 1 }');
  expect(await world.deputy(["config", "check"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("gateway: "),
  });
});

test("[E102] reports an unknown agent with the existing ones: in the terminal, and by the daemon", async () => {
  using world = setup({ agents: { default: "chief", list: { ops: {} } } });
  const run = await world.deputy(["run", "hi", "--agent", "opps"]);
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no agent “opps”. (unknown_agent)"),
  });
  expect(run.stderr).toContain("chief, ops");
  const chat = await world.deputy(["chat", "--agent", "opps"]);
  expect(chat).toMatchObject({ code: 1, stderr: expect.stringContaining("unknown_agent") });

  await using daemon = await startDaemon(world.home);
  const refused = await daemon.post("/api/tasks", { prompt: "hi", agentId: "opps" });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({
    code: "unknown_agent",
    hint: expect.stringContaining("chief, ops"),
  });
  mkdirSync(join(world.home, "agents", "opps"));
  const taken = await daemon.post("/api/tasks", { prompt: "hi", agentId: "opps" });
  expect(taken.status).toBe(201);
  expect(await (await daemon.post("/api/tasks", { prompt: "hi" })).json()).toMatchObject({
    agentId: "chief",
  });
});

test("[E864] the daemon writes every default beside the settings, which stay as they are", async () => {
  using home = scratchDirectory();
  await using _daemon = await startDaemon(home.path);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(home.path, name), "utf8"));
  expect(read("config.defaults.json")).toMatchObject({
    gateway: { port: 18_789 },
    agents: { default: "main" },
  });
  expect(read("config.json")).toEqual({});
});
