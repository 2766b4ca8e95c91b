import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskDetail } from "@deputy/protocol";
import {
  type CallToolResult,
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Daemon, PLUGIN, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const CLOSE_ONE = "return (await tools.github.issues.close({ issueNumber: 1 })).state;";
const CLOSE_TWO = `const closed: number[] = [];
for (const issueNumber of [1, 2]) {
  try { await tools.github.issues.close({ issueNumber }); closed.push(issueNumber); } catch (error) { console.log(String(error)); }
}
return closed;`;

const ERAS = [
  { era: "newer", mode: { pin: "2026-07-28" } },
  { era: "older", mode: "legacy" },
] as const;
type Era = (typeof ERAS)[number];

type Said = (asked: ElicitRequestFormParams, signal: AbortSignal) => ElicitResult | Promise<ElicitResult>;

/** MCP's own client, whose user answers forms as the test says; without answers it declares no forms. */
async function connect(url: string, { mode }: Era, say?: Said): Promise<Client> {
  const client = new Client(
    { name: "a test", version: "1" },
    { capabilities: say === undefined ? {} : { elicitation: {} }, versionNegotiation: { mode } },
  );
  if (say !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) =>
      say(params as ElicitRequestFormParams, mcpReq.signal),
    );
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** One for all tests that do not change it. */
const home = scratchDirectory();
let daemon: Daemon;
beforeAll(async () => void (daemon = await startDaemon(home.path, ["--tools", PLUGIN])));
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
  await client.callTool({ name, arguments: args }, { timeout: 90_000 });
const run = (client: Client, code: string): Promise<CallToolResult> => call(client, "run_code", { code });

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

const tasksOf = async (): Promise<TaskDetail[]> =>
  ((await (await daemon.fetch("/api/tasks")).json()) as { tasks: TaskDetail[] }).tasks;
const readTask = async (id: string): Promise<TaskDetail> =>
  (await (await daemon.fetch(`/api/tasks/${id}`)).json()) as TaskDetail;
const pending = async (): Promise<{ id: string }[]> =>
  ((await (await daemon.fetch("/api/approvals")).json()) as { approvals: { id: string }[] }).approvals;

test.each(ERAS)("[E110] $era protocol: finds and describes tools, and runs a program", async (era) => {
  const client = await connect(daemon.url, era);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "search_tools",
    "describe_tools",
    "run_code",
    "task_result",
    "memory_search",
  ]);

  expect(textOf(await call(client, "search_tools", { query: "close an issue", limit: 2 }))).toMatch(
    /^github\.issues\.close: Close an issue \(\w+, asks the user first\)$/m,
  );
  const described = await call(client, "describe_tools", { paths: ["github.issues.list", "github.nothing"] });
  expect(textOf(described)).toMatch(/readonly list: \(input.*no tool github\.nothing/s);
  expect(await call(client, "describe_tools", { paths: ["github.nothing"] })).toMatchObject({
    isError: true,
  });

  const told: string[] = [];
  const code = 'console.log("looking"); return (await tools.github.issues.list({})).length;';
  const onprogress = ({ message }: { message?: string | undefined }): void => void told.push(message ?? "");
  const ran = await client.callTool({ name: "run_code", arguments: { code } }, { onprogress });
  expect(textOf(ran)).toBe("Result: 6\nLog:\n  looking\nCalls:\n  github.issues.list succeeded");
  const [task] = await tasksOf();
  const calls = [{ tool: "github.issues.list", status: "succeeded" }];
  expect(ran.structuredContent).toEqual({
    taskId: task?.id,
    status: "succeeded",
    result: 6,
    logs: ["looking"],
    calls,
  });
  expect(told).toEqual(expect.arrayContaining([`Task ${task?.id}`, "github.issues.list succeeded"]));

  expect(await readTask(task?.id ?? "")).toMatchObject({ status: "succeeded", result: 6 });
});

test.each(ERAS)(
  "[E110] $era protocol: a type error comes back to be fixed, and nothing has run",
  async (era) => {
    const client = await connect(daemon.url, era);
    const rejected = await run(
      client,
      "await tools.github.issues.close({ issueNumber: 1 });\nreturn tools.github.isues.list({});",
    );
    expect(rejected.isError).toBe(true);
    expect(textOf(rejected)).toMatch(
      /does not typecheck; nothing was run.*\nline 2, column \d+ \(\w+\): .*isues/s,
    );
    expect(rejected.structuredContent).toMatchObject({
      status: "failed",
      diagnostics: [{ line: 2 }],
      calls: [],
    });
    const threw = await run(client, "throw new Error('boom');");
    expect(threw).toMatchObject({ isError: true });
    expect(textOf(threw)).toMatch(/^It failed at line 1: .*boom/);
  },
);

test.each(ERAS)(
  "[E111] $era protocol: asks the client's user, with the whole card, and gets a yes",
  async (era) => {
    const asked: ElicitRequestFormParams[] = [];
    const client = await connect(daemon.url, era, (form) => {
      asked.push(form);
      return { action: "accept", content: {} };
    });
    const ran = await run(client, CLOSE_ONE);
    expect(textOf(ran)).toBe('Result: "closed"\nCalls:\n  github.issues.close succeeded');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toMatch(/Close acme\/demo#1\n {2}github\.issues\.close\n.*issueNumber: 1/s);
    // Long lines are broken.
    const unbroken = asked[0]?.message.replaceAll(/\n *┊ /g, " ");
    expect(unbroken).toContain("comes from the program, which a client's model wrote, not from you");
    expect(asked[0]?.requestedSchema).toEqual({ type: "object", properties: {} });
    const [task] = await tasksOf();
    expect(ran.structuredContent).toMatchObject({ taskId: task?.id, status: "succeeded" });
  },
);

test.each(ERAS)("[E111] $era protocol: the user ticks which calls of a plan may run", async (era) => {
  const client = await connect(daemon.url, era, ({ requestedSchema: { properties, required } }) => {
    const [first = "", second = ""] = required ?? [];
    expect(Object.values(properties).map(({ title }) => title)).toEqual([
      "1. Close acme/demo#1",
      "2. Close acme/demo#2",
    ]);
    return { action: "accept", content: { [first]: false, [second]: true } };
  });
  const ran = await run(client, CLOSE_TWO);
  expect(ran.structuredContent).toMatchObject({
    result: [2],
    calls: [{ status: "denied" }, { status: "succeeded" }],
  });
  expect(await pending()).toEqual([]);
});

test.each(ERAS)(
  "[E111] $era protocol: declining denies, and the program continues without it",
  async (era) => {
    const client = await connect(daemon.url, era, () => ({ action: "decline" }));
    const ran = await run(client, CLOSE_TWO);
    expect(ran.structuredContent).toMatchObject({ status: "succeeded", result: [] });
    expect(textOf(ran)).toMatch(/github\.issues\.close denied/);
  },
);

test.each(ERAS)("[E111] $era protocol: a dismissed form leaves the question for others", async (era) => {
  let forms = 0;
  const client = await connect(daemon.url, era, () => {
    forms += 1;
    return { action: "cancel" };
  });
  const left = await run(client, CLOSE_ONE);
  expect(left.structuredContent).toMatchObject({ status: "waiting" });
  expect(forms).toBe(1);
  const [approval] = await pending();
  await daemon.post(`/api/approvals/${approval?.id}`, { decision: "approved" });
  const { taskId } = left.structuredContent as { taskId: string };
  expect(textOf(await call(client, "task_result", { taskId }))).toMatch(/^Result: "closed"/);
});

test.each(ERAS)(
  "[E112] $era protocol: tells a client that cannot ask what waits, and it continues later",
  async (era) => {
    const client = await connect(daemon.url, era);
    const waiting = await run(client, CLOSE_ONE);
    const { taskId } = waiting.structuredContent as { taskId: string };
    const [approval] = await pending();
    expect(waiting.isError).toBeFalsy();
    expect(textOf(waiting)).toMatch(/waits for the user's approval.*Close acme\/demo#1.*issueNumber: 1/s);
    expect(textOf(waiting)).toContain(`deputy approvals approve ${approval?.id}`);
    expect(textOf(waiting)).toContain(`task_result with the taskId ${taskId}`);
    const still = await call(client, "task_result", { taskId, waitSeconds: 0 });
    expect(still.structuredContent).toMatchObject({ status: "waiting", approvals: [{ id: approval?.id }] });

    const later = call(client, "task_result", { taskId });
    const approved = await runDeputy(["approvals", "approve", approval?.id ?? "", "--home", home.path], {
      env: { DEPUTY_TOKEN: TOKEN },
    });
    expect(approved.code).toBe(0);
    expect(textOf(await later)).toMatch(/^Result: "closed"/);
    const unknown = await call(client, "task_result", { taskId: "tsk_01J00000000000000000000000" });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: "There is no such task (not_found)" }],
    });
  },
);

test("[E112] does not show tasks from elsewhere", async () => {
  const program = { code: "return 'private';", language: "javascript" };
  const { id } = (await (await daemon.post("/api/tasks", { program })).json()) as TaskDetail;
  const client = await connect(daemon.url, ERAS[0]);
  expect(await call(client, "task_result", { taskId: id })).toMatchObject({
    isError: true,
    content: [{ text: "There is no such task (not_found)" }],
  });
});

test.each(ERAS)(
  "[E113] $era protocol: a cancelled call cancels its task and denies its question",
  async (era) => {
    const stop = new AbortController();
    const client = await connect(daemon.url, era, async (_form, signal) => {
      if (era.era === "older") stop.abort();
      return await new Promise<ElicitResult>((resolve) =>
        signal.addEventListener("abort", () => resolve({ action: "cancel" })),
      );
    });
    const code = "await tools.github.issues.list({}); for (;;) await tools.github.issues.list({});";
    const calling = client.callTool(
      { name: "run_code", arguments: { code: era.era === "older" ? CLOSE_ONE : code } },
      {
        signal: stop.signal,
        onprogress: ({ message }) => era.era === "newer" && message?.includes("list") && stop.abort(),
      },
    );
    await expect(calling).rejects.toThrow();
    const [task] = await tasksOf();
    const events = await (await daemon.fetch(`/api/tasks/${task?.id}/events`)).text();
    expect(events).toContain('"type":"completed"');
    expect(await readTask(task?.id ?? "")).toMatchObject({ status: "cancelled" });
    expect(await pending()).toEqual([]);
  },
);

test("[E111] withdraws a question from the client if somebody else answers it", async () => {
  let withdrawn = 0;
  const client = await connect(daemon.url, ERAS[1], async (_form, signal) => {
    const [approval] = await pending();
    const gone = new Promise<ElicitResult>((resolve) =>
      signal.addEventListener("abort", () => {
        withdrawn += 1;
        resolve({ action: "decline" });
      }),
    );
    await daemon.post(`/api/approvals/${approval?.id}`, { decision: "approved" });
    return await gone;
  });
  expect(textOf(await run(client, CLOSE_ONE))).toMatch(/^Result: "closed"/);
  expect(withdrawn).toBe(1);
});

test("[E111] in the newer protocol the first answer stands too", async () => {
  const client = await connect(daemon.url, ERAS[0], async () => {
    const [approval] = await pending();
    await daemon.post(`/api/approvals/${approval?.id}`, { decision: "approved" });
    return { action: "decline" };
  });
  expect(textOf(await run(client, CLOSE_ONE))).toMatch(/^Result: "closed"/);
});

/** A separate daemon, which can be stopped and started again at the same address. */
async function startAnother() {
  const own = scratchDirectory();
  const first = await startDaemon(own.path, ["--tools", PLUGIN]);
  let running = first;
  onTestFinished(async () => {
    await running[Symbol.asyncDispose]();
    own[Symbol.dispose]();
  });
  const restart = async (): Promise<void> => {
    await running.end("SIGTERM");
    running = await startDaemon(own.path, ["--tools", PLUGIN, "--port", new URL(first.url).port]);
  };
  return { url: first.url, restart };
}

test("[E114] newer protocol: a restart between question and answer is not noticed", async () => {
  const { url, restart } = await startAnother();
  let forms = 0;
  const client = await connect(url, ERAS[0], async () => {
    forms += 1;
    await restart();
    return { action: "accept", content: {} };
  });
  expect(textOf(await run(client, CLOSE_ONE))).toMatch(/^Result: "closed"/);
  expect(forms).toBe(1);
});

test("[E114] older protocol: a restart ends the session, and the program continues in a new one", async () => {
  const { url, restart } = await startAnother();
  const restarted = Promise.withResolvers<void>();
  const client = await connect(url, ERAS[1], async () => {
    restarted.resolve(restart());
    await restarted.promise;
    return { action: "accept", content: {} };
  });
  const left = await run(client, CLOSE_ONE);
  expect(left).toMatchObject({ isError: true, structuredContent: { status: "running" } });
  expect(textOf(left)).toContain("continues without it, if necessary at the next start");
  await restarted.promise;
  await expect(client.listTools()).rejects.toMatchObject({ data: { status: 404 } });

  const again = await connect(url, ERAS[1], () => ({ action: "accept", content: {} }));
  const { taskId } = left.structuredContent as { taskId: string };
  expect(textOf(await call(again, "task_result", { taskId }))).toMatch(/^Result: "closed"/);
});

const NOTES = `import { defineTool } from "@deputy/tools";
import { z } from "zod";
const args = z.object({ to: z.string() });
const run = ({ to }) => to;
export default { notes: { send: defineTool({ description: "Send a note", effect: "egress", approval: "auto", critical: ["to"], args, returns: z.string(), run }) } };`;

test("[E115] what a client's program names is not the user's word: the same program asks here, but not as the user's own", async () => {
  using own = scratchDirectory();
  writeFileSync(join(own.path, "notes.ts"), NOTES);
  await using other = await startDaemon(own.path, ["--tools", join(own.path, "notes.ts")]);
  const code = 'return await tools.notes.send({ to: "eve@example.com" });';
  const mine = await runDeputy(["exec", "-", "--home", own.path], {
    input: code,
    env: { DEPUTY_TOKEN: TOKEN },
  });
  expect(mine).toMatchObject({ code: 0, stdout: '"eve@example.com"\n' });
  const asked: string[] = [];
  const client = await connect(other.url, ERAS[0], ({ message }) => {
    // Long lines are broken.
    asked.push(message.replaceAll(/\n *┊ /g, " "));
    return { action: "decline" };
  });
  const ran = await run(client, code);
  expect(asked).toEqual([
    expect.stringContaining(
      'to "eve@example.com" comes from the program, which a client\'s model wrote, not from you.',
    ),
  ]);
  expect(ran.structuredContent).toMatchObject({ calls: [{ tool: "notes.send", status: "denied" }] });
});
