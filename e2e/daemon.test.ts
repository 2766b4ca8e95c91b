import { chmodSync, rmSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { TaskEvent } from "@deputy/protocol";
import { taskEventSchema } from "@deputy/protocol/wire";
import { expect, test } from "vitest";
import { readServerSentEvents } from "../packages/client/src/server-sent-events.ts";
import {
  type Daemon,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDaemon,
  startDeputy,
  TOKEN,
  waitForOutput,
} from "./run-deputy.ts";

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;
const CLOSE_TWO = fenced(`const closed = [];
for (const number of [1, 2]) closed.push(await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: number }));
return closed.length;`);

/** The task's events as they arrive; each carries the cursor that resumes after it. */
async function* follow(
  daemon: Daemon,
  taskId: string,
  after?: string,
): AsyncGenerator<{ id: string; event: TaskEvent }> {
  const headers = after === undefined ? {} : { "last-event-id": after };
  const response = await daemon.fetch(`/api/tasks/${taskId}/events`, { headers });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  for await (const { id, data } of readServerSentEvents(response)) {
    yield { id: id ?? "", event: taskEventSchema.parse(JSON.parse(data)) };
  }
}

async function createTask(daemon: Daemon, prompt: string): Promise<string> {
  const response = await daemon.post("/api/tasks", { prompt });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

/** Of a plan card: the calls it lists, with the ids that they will have. */
function listedCalls(event: TaskEvent): readonly string[] {
  if (event.type !== "approval_request" || event.toolPath !== "plan") return [];
  expect(event.id).toMatch(/^pln_/);
  return (event.input as { calls: { callId: string }[] }).calls.map(({ callId }) => callId);
}

const resultsIn = (events: readonly TaskEvent[]) =>
  events.flatMap((event) => (event.type === "tool_result" ? [[event.id, event.status]] : []));

test("[E20] a task runs from REST to its last event; the calls of its loop are one plan, approved once", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const id = await createTask(daemon, CLOSE_TWO);
  const events: TaskEvent[] = [];
  for await (const { event } of follow(daemon, id)) {
    events.push(event);
    if (event.type === "approval_request") {
      expect(await daemon.post(`/api/approvals/${event.id}`, { decision: "approved" })).toMatchObject({
        status: 200,
      });
    }
  }
  expect(events.map((event) => event.type).filter((type) => type !== "status")).toEqual([
    "agent_message",
    "code_generated",
    "approval_request",
    "approval_resolved",
    "tool_result",
    "tool_result",
    "agent_message",
    "completed",
  ]);
  const listed = events.flatMap(listedCalls);
  expect(listed).toHaveLength(2);
  expect(resultsIn(events)).toEqual(listed.map((callId) => [callId, "succeeded"]));
  const replayed: TaskEvent[] = [];
  for await (const { event } of follow(daemon, id)) replayed.push(event);
  expect(replayed).toEqual(events);
});

test("[E20] denies what the answer to a plan leaves out, with its reason, without asking again", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const code = `const closed: number[] = [];
for (const issueNumber of [1, 2])
  try {
    await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber });
    closed.push(issueNumber);
  } catch {}
return closed;`;
  const id = await createTask(daemon, fenced(code));
  const events: TaskEvent[] = [];
  for await (const { event } of follow(daemon, id)) {
    events.push(event);
    const [, second] = listedCalls(event);
    if (event.type !== "approval_request") continue;
    const url = `/api/approvals/${event.id}`;
    expect((await daemon.post(url, { decision: "approved", calls: [id] })).status).toBe(400);
    const answer = { decision: "approved", calls: [second], reason: "still wanted" };
    expect((await daemon.post(url, answer)).status).toBe(200);
    expect((await daemon.post(url, answer)).status, "the same again").toBe(200);
    expect((await daemon.post(url, { decision: "approved" })).status, "more than before").toBe(409);
  }
  const [first, second] = events.flatMap(listedCalls);
  expect(resultsIn(events)).toEqual([
    [first, "denied"],
    [second, "succeeded"],
  ]);
  expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", preview: "still wanted" }));
  expect(events).toContainEqual({ type: "agent_message", text: expect.stringMatching(/\[\s*2\s*\]/) });
});

test.each(["SIGKILL", "SIGTERM"] as const)(
  "[E21] %s while its plan waits for an answer: the next start continues, and nothing is lost or repeated",
  async (signal) => {
    using home = scratchDirectory();
    const seen: { id: string; event: TaskEvent }[] = [];
    let taskId = "";
    {
      await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
      taskId = await createTask(daemon, CLOSE_TWO);
      for await (const item of follow(daemon, taskId)) {
        seen.push(item);
        if (item.event.type === "approval_request") break;
      }
      await daemon.end(signal);
    }
    await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
    const after: TaskEvent[] = [];
    for await (const { event } of follow(daemon, taskId)) {
      after.push(event);
      if (event.type === "approval_request")
        await daemon.post(`/api/approvals/${event.id}`, { decision: "approved" });
    }
    expect(after.slice(0, seen.length)).toEqual(seen.map(({ event }) => event));
    expect(after.at(-1)).toEqual({ type: "completed" });
    expect(after.filter((event) => event.type === "approval_request")).toHaveLength(1);
    const listed = after.flatMap(listedCalls);
    expect(listed).toHaveLength(2);
    expect(resultsIn(after)).toEqual(listed.map((callId) => [callId, "succeeded"]));
    const rest: TaskEvent[] = [];
    for await (const { event } of follow(daemon, taskId, seen.at(-1)?.id)) rest.push(event);
    expect(rest).toEqual(after.slice(seen.length));
    expect(await runDeputy(["audit", "verify", "--home", home.path])).toMatchObject({ code: 0 });
  },
);

test("[E22] deputy run uses the running daemon", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const args = ["run", CLOSE_TWO, "--home", home.path, "--json", "--approve", "all"];
  const { code, stdout } = await runDeputy(args, { env: { DEPUTY_TOKEN: TOKEN } });
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toEqual({ type: "completed" });
  expect(await (await daemon.fetch("/api/tasks")).json()).toMatchObject({ tasks: [{ status: "succeeded" }] });
});

test("[E28] a new token counts at once, and the old one no longer does", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, [], {});
  const get = (token: string) =>
    fetch(new URL("/api/tasks", daemon.url), { headers: { authorization: `Bearer ${token}` } });
  const old = readFileSync(join(home.path, "token"), "utf8").trim();
  expect((await get(old)).status).toBe(200);
  writeFileSync(join(home.path, "token"), "a-new-token-of-the-owner\n");
  expect((await get("a-new-token-of-the-owner")).status).toBe(200);
  expect((await get(old)).status).toBe(401);
  chmodSync(join(home.path, "token"), 0o644);
  expect((await get("a-new-token-of-the-owner")).status, "others may have read it").toBe(401);
  chmodSync(join(home.path, "token"), 0o600);
  expect((await get("a-new-token-of-the-owner")).status).toBe(200);
  rmSync(join(home.path, "token"));
  expect((await get("a-new-token-of-the-owner")).status, "taken away").toBe(401);
});

test("[E23] SIGTERM ends it cleanly; only the owner can read the home", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path);
  expect(existsSync(join(home.path, "daemon.json"))).toBe(true);
  for (const name of ["deputy.db", "deputy.lock", "deputy.tail", "key", "daemon.json"]) {
    expect(statSync(join(home.path, name)).mode & 0o077, name).toBe(0);
  }
  expect(await daemon.end("SIGTERM")).toBe(0);
  expect(existsSync(join(home.path, "daemon.json"))).toBe(false);
  expect(await runDeputy(["audit", "verify", "--home", home.path])).toMatchObject({ code: 0 });
});

test("[E24] cancelling a waiting task denies its question and ends it", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const id = await createTask(daemon, CLOSE_TWO);
  const events: TaskEvent[] = [];
  for await (const { event } of follow(daemon, id)) {
    events.push(event);
    if (event.type === "approval_request") await daemon.post(`/api/tasks/${id}/cancel`, {});
  }
  expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", status: "denied" }));
  expect(events.at(-1)).toEqual({ type: "completed" });
});

test("[E25] a killed daemon's file sends no token to another program on its port", async () => {
  using home = scratchDirectory();
  {
    await using daemon = await startDaemon(home.path);
    await daemon.end("SIGKILL");
  }
  const requests: unknown[] = [];
  const stranger = createServer((request, response) => {
    requests.push(request.url);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => stranger.once("listening", resolve));
  const address = stranger.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { pid } = JSON.parse(readFileSync(join(home.path, "daemon.json"), "utf8")) as { pid: number };
  writeFileSync(join(home.path, "daemon.json"), JSON.stringify({ url: `http://127.0.0.1:${port}`, pid }));
  const { code, stdout } = await runDeputy(["run", fenced("return 6 * 7;"), "--home", home.path]);
  stranger.close();
  expect(requests).toEqual([]);
  expect(code).toBe(0);
  expect(stdout).toContain("42");
});

test("[E26] Ctrl-C on a run through the daemon cancels the task, and counts as a failure", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const child = startDeputy(["run", CLOSE_TWO, "--home", home.path, "--json"], {
    env: { DEPUTY_TOKEN: TOKEN },
    input: "",
  });
  await waitForOutput(child, "approval_request");
  child.kill("SIGINT");
  const exited = new Promise((resolve) => child.once("exit", resolve));
  expect(await exited).not.toBe(0);
  expect(await (await daemon.fetch("/api/tasks")).json()).toMatchObject({ tasks: [{ status: "cancelled" }] });
});

test("[E27] an unhandled error of a plugin, after its call has ended, does not end the daemon", async () => {
  using home = scratchDirectory();
  const plugin = join(home.path, "stray.ts");
  writeFileSync(
    plugin,
    `import { defineTool } from "@deputy/tools";
import { z } from "zod";
const tool = (run) => defineTool({ description: "Strays", approval: "auto", args: z.object({}), run });
export default { reject: tool(() => { setTimeout(() => { void Promise.reject(new Error("stray")); }, 10); return 1; }),
  explode: tool(() => { setTimeout(() => { throw new Error("stray"); }, 10); return 2; }) };`,
  );
  await using daemon = await startDaemon(home.path, ["--tools", plugin]);
  for (const [tool, result] of [
    ["reject", "1"],
    ["explode", "2"],
    ["reject", "1"],
  ]) {
    const task = await createTask(daemon, fenced(`return await tools.${tool}({});`));
    const said: string[] = [];
    for await (const { event } of follow(daemon, task)) said.push(JSON.stringify(event));
    expect(said.join()).toContain(result);
    expect(said.at(-1)).toContain("completed");
  }
  expect((await daemon.fetch("/api/tasks")).status).toBe(200);
  expect(await daemon.end("SIGTERM")).toBe(0);
});
