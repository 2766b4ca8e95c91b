import type { ChildProcess } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanCard, TaskDetail, TaskEvent } from "@deputy/protocol";
import { taskDetailSchema, taskEventSchema } from "@deputy/protocol/wire";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readServerSentEvents } from "../packages/client/src/server-sent-events.ts";
import {
  CELL,
  type Client,
  collectOutput,
  createClient,
  type Daemon,
  type DeputyOptions,
  type Finished,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDaemon,
  startDeputy,
  TOKEN,
  waitForOutput,
} from "./run-deputy.ts";

const CHROMIUM = "/usr/bin/chromium";
const noBrowser = !existsSync(CHROMIUM) && process.env["DEPUTY_CI"] === undefined;
const env = { DEPUTY_TOKEN: TOKEN };

async function* follow(client: Client, taskId: string): AsyncGenerator<TaskEvent> {
  const response = await client.fetch(`/api/tasks/${taskId}/events`);
  for await (const { data } of readServerSentEvents(response)) yield taskEventSchema.parse(JSON.parse(data));
}

/** The task's events as they come, each question answered with yes. */
async function followAndApprove(client: Client, taskId: string): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const event of follow(client, taskId)) {
    events.push(event);
    if (event.type === "approval_request")
      expect((await client.post(`/api/approvals/${event.id}`, { decision: "approved" })).status).toBe(200);
  }
  return events;
}

const tasksOf = async (client: Client): Promise<TaskDetail[]> =>
  ((await (await client.fetch("/api/tasks")).json()) as { tasks: TaskDetail[] }).tasks;

async function readTask(client: Client, id: string): Promise<TaskDetail> {
  return taskDetailSchema.parse(await (await client.fetch(`/api/tasks/${id}`)).json());
}

type Home = ReturnType<typeof setup>;

/** A home with its own files; commands run in it, with an input that stays open. */
function setup(files: Readonly<Record<string, string>> = {}) {
  const home = scratchDirectory();
  const path = (name: string): string => join(home.path, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  const args = (...rest: readonly string[]) => ["exec", ...rest, "--home", home.path];
  return {
    home,
    path,
    start: (...rest: readonly string[]): ChildProcess => startDeputy(args(...rest), { env, input: "" }),
    run: (rest: readonly string[], options: DeputyOptions = {}) =>
      runDeputy(args(...rest), { env, ...options }),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

/** Starts the example with its plugin; `id` is that of its task, once the command has said `until`. */
async function startExample(own: Home, client: Client, until = "Task created") {
  const before = new Set((await tasksOf(client)).map((task) => task.id));
  const child = own.start(CELL, "--tools", PLUGIN, "--json");
  const done = collectOutput(child);
  await waitForOutput(child, until);
  const made = (await tasksOf(client)).filter((task) => !before.has(task.id));
  expect(made).toHaveLength(1);
  return { child, done, id: made[0]?.id ?? "" };
}

const plugin = (tools: string): string => `import { defineTool } from "@deputy/tools";
import { z } from "zod";
import { greeting } from "./greeting.ts";
const tool = (approval, run) => defineTool({ description: "For a test", approval, args: z.object({}), run });
export default { ${tools} };`;
const GREETING = 'export const greeting = "hello";';
const LAMP = {
  "greeting.ts": GREETING,
  "lamp.ts": plugin(`lamp: { say: tool("auto", () => greeting), ask: tool("required", () => greeting) }`),
};

const READ = "github.issues.list";

/** For tests that count only their own tasks. */
const shared = setup(LAMP);
let sharedDaemon: Daemon;
beforeAll(async () => {
  sharedDaemon = await startDaemon(shared.home.path);
});
afterAll(async () => {
  await sharedDaemon?.[Symbol.asyncDispose]();
  shared[Symbol.dispose]();
});

test("[E40] exec is a task of the running daemon: others follow it live and answer for it", async () => {
  const daemon = sharedDaemon;
  const { done, id } = await startExample(shared, daemon);
  const events = await followAndApprove(daemon, id);
  const asked = events.filter((event) => event.type === "approval_request");
  expect(asked).toMatchObject([{ toolPath: "plan", preview: { title: "Close 4 issues in acme/demo" } }]);
  const calls = asked.flatMap(({ input }) => (input as PlanCard).calls);
  const closed = events.filter((event) => event.type === "tool_result" && event.toolPath !== READ);
  expect(calls).toHaveLength(4);
  expect(closed).toMatchObject(calls.map(({ callId, toolPath }) => ({ id: callId, toolPath })));
  expect(events).toContainEqual({ type: "code_generated", code: expect.stringContaining("MAX_AGE_DAYS") });
  expect(events).toContainEqual({ type: "status", message: expect.stringMatching(/^Log: 4 of 6 open/) });
  expect(events.at(-2)).toEqual({ type: "agent_message", text: expect.stringContaining('"open": 2') });
  expect(events.at(-1)).toEqual({ type: "completed" });

  const { code, stdout } = await done;
  expect(code).toBe(0);
  const result = { closed: [1, 2, 3, 4], kept: [], open: 2 };
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", status: "completed", result });
  expect(await readTask(daemon, id)).toMatchObject({ status: "succeeded", agentId: "exec", result });
  expect((await readTask(daemon, id)).receipts).toHaveLength(5);
});

/**
 * Makes values equal that differ between runs; whether a cell is put to sleep before its answer depends on
 * timing.
 */
const comparable = (text: string): string =>
  text
    .replaceAll(/^.*"(?:Waiting|Continuing): .*\n/gm, "")
    .replaceAll(/\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID")
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0');

const PROGRAMS = {
  ...LAMP,
  "done.ts": "console.log('a'); console.log('b'); return [await tools.lamp.say({}), 'x'.repeat(40_000)];",
  "asks.ts": "try { return await tools.lamp.ask({}); } catch (error) { return String(error); }",
  "wrong.ts": "const n: number = 'x';\nreturn tools.lamp.off({});",
  "threw.ts": "await tools.lamp.say({});\nthrow new Error('boom');",
  "secret.js": `return ${JSON.stringify(`ghp_${"a1B2c3D4e5F6".repeat(3)}`)};`,
  "broken.ts": "throw new Error('not today');",
};

const CASES = [
  { exit: 0, what: "a large result", said: "x".repeat(40_000), args: ["done.ts", "--tools", "lamp.ts"] },
  { exit: 0, what: "receipts", said: '"receipts":[{', args: ["done.ts", "--tools", "lamp.ts", "--json"] },
  {
    exit: 3,
    what: "a denial",
    said: '"status":"denied"',
    args: ["asks.ts", "--tools", "lamp.ts", "--json", "--approve", "none"],
  },
  { exit: 1, what: "a type error", said: "wrong.ts:2:", args: ["wrong.ts", "--tools", "lamp.ts"] },
  { exit: 1, what: "diagnostics", said: '"rejected"', args: ["wrong.ts", "--tools", "lamp.ts", "--json"] },
  { exit: 1, what: "an error", said: '"line":2', args: ["threw.ts", "--tools", "lamp.ts", "--json"] },
  { exit: 0, what: "a secret of the program's own", said: "ghp_a1B2", args: ["secret.js", "--json"] },
  {
    exit: 1,
    what: "a missing plugin",
    said: '"plugin_not_found"',
    args: ["secret.js", "--tools", "nowhere.ts", "--json"],
  },
  {
    exit: 1,
    what: "a broken plugin",
    said: '"plugin_failed"',
    args: ["secret.js", "--tools", "broken.ts", "--json"],
  },
];
/** A task is created unless the plugin cannot be loaded. */
const tasksMade = (cases: readonly { readonly said: string }[]): number =>
  cases.filter(({ said }) => !said.includes("plugin_")).length;

describe("[E41] with a daemon as without", () => {
  const own = setup(PROGRAMS);
  const run = ({ args }: { readonly args: readonly string[] }): Promise<Finished> =>
    own.run(args, { cwd: own.home.path });
  const alone = new Map<string, Finished>();
  let daemon: Daemon;
  beforeAll(async () => {
    for (const one of CASES) alone.set(one.what, await run(one));
    daemon = await startDaemon(own.home.path);
    expect(await tasksOf(daemon), "those without a daemon").toHaveLength(tasksMade(CASES));
  });
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
    own[Symbol.dispose]();
  });

  test.each(CASES)("$what, exit code $exit", async (one) => {
    const before = (await tasksOf(daemon)).length;
    const attached = await run(one);
    expect(attached.code).toBe(one.exit);
    expect(attached.stdout.includes(one.said)).toBe(true);
    const { code, stdout = "" } = alone.get(one.what) ?? {};
    expect([attached.code, comparable(attached.stdout)]).toEqual([code, comparable(stdout)]);
    expect(await tasksOf(daemon)).toHaveLength(before + tasksMade([one]));
  });
});

test("[E42] a page, a cookie and an invalid path cannot load plugins", async () => {
  const [own, daemon] = [shared, sharedDaemon];
  const before = await tasksOf(daemon);
  const body = (file: string) => ({
    program: { code: "return 1;", language: "typescript", plugins: [file] },
  });
  const send = async (file: string, headers: Record<string, string>) => {
    const response = await fetch(new URL("/api/tasks", daemon.url), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body(file)),
    });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const bearer = { authorization: `Bearer ${TOKEN}` };
  const lamp = own.path("lamp.ts");
  expect(await send(lamp, { cookie: `token=${TOKEN}` })).toEqual([401, "unauthorized"]);
  expect(await send(lamp, { ...bearer, cookie: "a=1" })).toEqual([403, "plugins_not_allowed"]);
  expect(await send(lamp, { ...bearer, origin: daemon.url })).toEqual([403, "plugins_not_allowed"]);
  expect(await send("lamp.ts", bearer)).toEqual([400, "invalid_request"]);
  expect(await send(own.path("nowhere.ts"), bearer)).toEqual([422, "plugin_not_found"]);
  expect(await send(own.home.path, bearer)).toEqual([422, "plugin_not_found"]);
  expect(await send(own.path("greeting.ts"), bearer)).toEqual([422, "plugin_invalid"]);
  expect(await tasksOf(daemon)).toEqual(before);
});

test("[E43] loads a plugin afresh for each exec, and for that task only", async () => {
  using own = setup({ ...LAMP, "say.ts": "return await tools.lamp.say({});" });
  writeFileSync(own.path("config.json"), JSON.stringify({ toolSources: ["./lamp.ts"] }));
  writeFileSync(own.path("torch.ts"), plugin(`torch: { say: tool("auto", () => greeting + "!") }`));
  await using daemon = await startDaemon(own.home.path);
  const lamp = own.path("lamp.ts");
  expect((await own.run([own.path("say.ts"), "--tools", lamp])).stdout).toBe('"hello"\n');
  writeFileSync(lamp, LAMP["lamp.ts"].replace("() => greeting", '() => greeting + ", edited"'));
  expect((await own.run([own.path("say.ts"), "--tools", lamp])).stdout).toBe('"hello, edited"\n');
  // The daemon reloads its own copy beside what runs: its imports must not change before that.
  let looks = 0;
  await expect
    .poll(async () => {
      looks += 1;
      return (await own.run([own.path("say.ts")])).stdout;
    })
    .toBe('"hello, edited"\n');
  writeFileSync(own.path("greeting.ts"), GREETING.replace("hello", "good morning"));
  expect((await own.run([own.path("say.ts"), "--tools", lamp])).stdout).toBe('"good morning, edited"\n');
  expect(
    (await own.run([own.path("say.ts")])).stdout,
    "the daemon's own: loaded anew when its file changed, not for what it imports",
  ).toBe('"hello, edited"\n');

  const both = "return [await tools.lamp.say({}), await tools.torch.say({})];";
  const torch = await own.run(["-", "--tools", own.path("torch.ts")], { input: both });
  expect(JSON.parse(torch.stdout)).toEqual(["hello, edited", "good morning!"]);
  expect(await own.run(["-"], { input: both })).toMatchObject({ code: 1 });
  expect((await tasksOf(daemon)).length).toBe(6 + looks);
});

test.each(["SIGINT", "SIGTERM"] as const)("[E44] %s on the command cancels its task", async (signal) => {
  const { child, done, id } = await startExample(shared, sharedDaemon, "approval_request");
  child.kill(signal);
  expect((await done).code).not.toBe(0);
  expect(await readTask(sharedDaemon, id)).toMatchObject({ status: "cancelled" });
});

test("[E44] a killed command leaves its task to the daemon, where it continues", async () => {
  const { child, done, id } = await startExample(shared, sharedDaemon, "approval_request");
  child.kill("SIGKILL");
  await done;
  expect(await readTask(sharedDaemon, id)).toMatchObject({ status: "waiting" });
  await followAndApprove(sharedDaemon, id);
  expect(await readTask(sharedDaemon, id)).toMatchObject({ status: "succeeded", result: { open: 2 } });
});

test("[E45] exec --serve opens the gateway while it runs, and shows its end to followers", async () => {
  using own = setup();
  const args = ["exec", CELL, "--tools", PLUGIN, "--json", "--serve", "--home", own.home.path];
  const child = startDeputy(args, { env: { ...env, DEPUTY_PORT: "0" }, input: "" });
  const done = collectOutput(child);
  const [, url = "", id = ""] = await new Promise<RegExpExecArray>((resolve) => {
    let said = "";
    child.stderr?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      const live = /Live at (http:\/\/[\d.:]+)\/#(tsk_\w+)\n/.exec(said);
      if (live !== null) resolve(live);
    });
  });
  const client = createClient(url);
  expect(existsSync(own.path("daemon.json")), "it is no daemon").toBe(false);
  expect(await own.run([CELL])).toMatchObject({ code: 1, stderr: expect.stringContaining("home_in_use") });
  const events = await followAndApprove(client, id);
  expect(events.at(-1)).toEqual({ type: "completed" });
  const { code, stdout } = await done;
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", result: { open: 2 } });
  await expect(client.fetch("/api/tasks")).rejects.toThrow();
});

test("[E46] reports a type error once, with and without a daemon", async () => {
  using own = setup({ "wrong.ts": "const lamp: number = 'on';\n" });
  const count = async () => {
    const { code, stdout, stderr } = await own.run([own.path("wrong.ts")]);
    expect(code).toBe(1);
    return `${stdout}${stderr}`.split("is not assignable").length - 1;
  };
  expect(await count()).toBe(1);
  await using daemon = await startDaemon(own.home.path);
  expect(await count()).toBe(1);
  const [task] = await tasksOf(daemon);
  const events = await Array.fromAsync(follow(daemon, task?.id ?? ""));
  expect(JSON.stringify(events).split("is not assignable")).toHaveLength(2);
});

test.skipIf(noBrowser)("[E47] the page shows an exec live, and answers for it", async () => {
  const daemon = sharedDaemon;
  const { done, id } = await startExample(shared, daemon);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--headless", "--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`${daemon.url}/#${id}`);
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    const card = page.getByRole("region", { name: "Close 4 issues in acme/demo" });
    const boxes = [1, 2, 3, 4].map((issue) => card.getByLabel(`#${issue} `));
    for (const box of boxes) expect(await box.isChecked()).toBe(true);
    await card.getByText("Details", { exact: true }).click();
    expect(await card.getByText('"issueNumber": 3').isVisible(), "all of it").toBe(true);
    for (const box of boxes) await box.uncheck();
    await card.getByRole("button", { name: "Approve" }).click();
    await card.getByRole("alert").getByText("Nothing is ticked").waitFor();
    for (const box of boxes.filter((_, n) => n !== 1)) await box.check();
    await card.getByLabel("Reason for the others").fill("still wanted");
    await card.getByRole("button", { name: "Approve 3 of 4" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
    await page.getByText("Was approved by you: still wanted").waitFor();
    await page.getByText("4 of 6 open issues").waitFor();
    await page.getByText('"open": 3').waitFor();
    const refused = await page.evaluate(async (token) => {
      const program = { code: "return 1;", language: "typescript", plugins: ["/tmp/lamp.ts"] };
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch("/api/tasks", {
        method: "POST",
        headers,
        body: JSON.stringify({ program }),
      });
      return (await response.json()) as unknown;
    }, TOKEN);
    expect(refused).toMatchObject({ status: 403, code: "plugins_not_allowed" });
  } finally {
    await browser.close();
  }
  const { code, stdout } = await done;
  expect(code, "something was denied").toBe(3);
  expect(jsonLines(stdout).at(-1)).toMatchObject({
    type: "result",
    result: { closed: [1, 3, 4], kept: [{ number: 2, why: "still wanted" }], open: 3 },
  });
});
