import type { CallId } from "@deputy/kit";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { ACCEPT, ERAS, INITIALIZE, setupMcp, textOf } from "../test/mcp.fixture.ts";

const [newer, older] = ERAS;
const CODE = { code: "return 1;" };

test.each(ERAS)("[G60] [G62] $era protocol: finds and declares tools", async (era) => {
  const { connect } = await setupMcp();
  const { client, call } = await connect(era);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    "search_tools",
    "describe_tools",
    "run_code",
    "task_result",
    "memory_search",
  ]);
  expect(client.getServerVersion()).toMatchObject({ name: "deputy", version: "1.2.3" });
  expect(textOf(await call("search_tools", { query: "mail" }))).toMatch(
    /^mail\.send: Send a mail \(\w+, asks/,
  );
  expect(textOf(await call("search_tools", { query: "zebra" }))).toBe("No matching tool.");
  expect(textOf(await call("describe_tools", { paths: ["mail.send"] }))).toMatch(
    /send: \(input: \{\s+to: string/,
  );
});

test("[G60] offers no server stream, and answers an invalid message with a problem that is also JSON-RPC", async () => {
  const { fetch, post } = await setupMcp();
  const get = await fetch("/mcp", { headers: { accept: "text/event-stream" } });
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, DELETE"]);
  const refused = await post("/mcp", { method: "ping" }, ACCEPT);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: "invalid_request", jsonrpc: "2.0", id: null, error: { code: -32_000 } },
  ]);
});

test("[G62] reports an internal failure without details", async () => {
  const { connect, bugs } = await setupMcp({
    programTools: () => Promise.reject(new Error("/home/ada/.key")),
  });
  const { call } = await connect(newer);
  const result = await call("search_tools", { query: "x" });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toBe("Something went wrong inside Deputy. (internal)");
  expect(bugs).toEqual([new Error("/home/ada/.key")]);
});

test("[G62] says why a program is refused", async () => {
  const { connect, tasks } = await setupMcp();
  const { call } = await connect(newer);
  await tasks[Symbol.asyncDispose]();
  expect(await call("run_code", CODE)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/\(shutting_down\)$/) }],
  });
});

test.each(ERAS)(
  "[G67] $era protocol: nothing in a client's program counts as the user's word",
  async (era) => {
    const { connect, task, end, log, programs } = await setupMcp();
    const { call } = await connect(era);
    const running = call("run_code", CODE);
    const made = await task();
    await end(made);
    await running;
    expect(programs).toEqual([{ ...CODE, language: "typescript", writtenBy: "model" }]);
    const said = (await Array.fromAsync(log.read(made.stream))).filter(({ type }) => type === "user.message");
    expect(said).toMatchObject([{ data: { trust: "untrusted" } }]);
  },
);

const HIDDEN = { title: "Send to ada", details: `${"x".repeat(50_000)}\u202Eevil\u200B` };

test.each(ERAS)(
  "[G63] $era protocol: the form shows the card, with hidden text made visible",
  async (era) => {
    const { connect, task, ask, end, approvals } = await setupMcp();
    const messages: string[] = [];
    const { call } = await connect(era, ({ message }) => {
      messages.push(message);
      return { action: "accept" };
    });
    const running = call("run_code", CODE);
    const made = await task();
    const id = await ask(made, HIDDEN, { to: "a\u2066da" });
    await vi.waitFor(async () => expect(await approvals.answered(id)).toBeDefined());
    expect(await approvals.answered(id)).toMatchObject({ decision: "approved", scope: "once", by: "owner" });
    await end(made);
    await running;
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain("x\\u{202e}evil\\u{200b}");
    expect(messages[0]).toContain(`\`deputy approvals show ${id}\` shows all of it.`);
    expect(messages[0]).toContain("a\\u{2066}da");
  },
);

test.each([
  { said: { action: "accept" as const }, answer: { decision: "denied" } },
  { said: { action: "accept" as const, content: {} }, answer: { decision: "denied" } },
  { said: { action: "decline" as const }, answer: { decision: "denied" } },
])("[G63] runs only the ticked calls of a plan: $said", async ({ said, answer }) => {
  const { connect, task, end, approvals, log, ids } = await setupMcp();
  // Skips the client's own check of the form, because another client may have none.
  const { call } = await connect(newer, () => said);
  const running = call("run_code", CODE);
  const made = await task();
  const [planId, first, second] = [ids.next("plan"), ids.next("call"), ids.next("call")];
  const planned = (callId: CallId) => ({
    callId,
    toolPath: "mail.send",
    input: {},
    preview: { title: "Send" },
  });
  const calls = [first, second];
  const data = {
    approvalId: planId,
    toolPath: "plan",
    input: { calls: calls.map(planned) },
    preview: { title: "send 2 mails" },
    bindingHash: "0".repeat(64),
    calls: calls.map((callId) => ({ callId, toolPath: "mail.send", inputHash: "0".repeat(64) })),
  };
  await log.append(made.stream, [{ type: "approval.requested", data }]);
  await vi.waitFor(async () => expect(await approvals.answered(planId)).toMatchObject(answer));
  await end(made);
  await running;
});

test.each(ERAS)("[G63] $era protocol: what a running call asks comes with its fields", async (era) => {
  const forms: ElicitRequestFormParams[] = [];
  const { connect, task, end, approvals, log, ids } = await setupMcp();
  const { call } = await connect(era, (form) => {
    forms.push(form);
    return { action: "accept", content: { size: forms.length === 1 ? 5 : "xl" } };
  });
  const running = call("run_code", CODE);
  const made = await task();
  const [approvalId, askedBy] = [ids.next("call"), ids.next("call")];
  const schema = {
    type: "object",
    properties: { size: { type: "string", title: "The\u200bsize" }, count: { type: "integer" } },
    required: ["size"],
  };
  const data = {
    approvalId,
    toolPath: "shop.order",
    input: {},
    preview: { title: "shop asks you something" },
    bindingHash: "0".repeat(64),
    askedBy,
    form: { schema, proposed: { count: 1 } },
  };
  await log.append(made.stream, [{ type: "approval.requested", data }]);
  await vi.waitFor(async () =>
    expect(await approvals.answered(approvalId)).toMatchObject({
      decision: "approved",
      result: { value: { size: "xl" } },
    }),
  );
  expect(forms[0]?.requestedSchema).toEqual({
    type: "object",
    properties: {
      size: { type: "string", title: "The\\u{200b}size" },
      count: { type: "integer", default: 1 },
    },
    required: ["size"],
  });
  if (era.era === "older") expect(forms[1]?.message).toContain("must be string");
  await end(made);
  await running;
});

test.each(ERAS)(
  "[G63] $era protocol: what a running call asks without fields is answered, not run",
  async (era) => {
    const forms: ElicitRequestFormParams[] = [];
    const { connect, task, end, approvals, log, ids } = await setupMcp();
    const { call } = await connect(era, (form) => {
      forms.push(form);
      return { action: "accept", content: {} };
    });
    const running = call("run_code", CODE);
    const made = await task();
    const [approvalId, askedBy] = [ids.next("call"), ids.next("call")];
    const data = {
      approvalId,
      toolPath: "shop.order",
      input: { message: "Pay", url: "https://pay.example/1\u200b" },
      preview: { title: "shop asks you to open an address" },
      bindingHash: "0".repeat(64),
      askedBy,
    };
    await log.append(made.stream, [{ type: "approval.requested", data }]);
    await vi.waitFor(async () =>
      expect(await approvals.answered(approvalId)).toMatchObject({ decision: "approved" }),
    );
    expect(forms).toMatchObject([{ requestedSchema: { type: "object", properties: {} } }]);
    expect(forms[0]?.message).toContain("https://pay.example/1\\u{200b}");
    expect(forms[0]?.message).toContain("Accept says yes to it. Decline says no.");
    expect(forms[0]?.message).not.toContain("runs it");
    await end(made);
    await running;
  },
);

test("[G63] withdraws the form when somebody else answers, and the call continues", async () => {
  const { connect, task, ask, end, approvals } = await setupMcp();
  const shown = Promise.withResolvers<void>();
  const withdrawn = Promise.withResolvers<void>();
  const { call } = await connect(older, async (_form, signal) => {
    signal.addEventListener("abort", () => withdrawn.resolve());
    shown.resolve();
    await withdrawn.promise;
    return { action: "decline" };
  });
  const running = call("run_code", CODE);
  const made = await task();
  const id = await ask(made, { title: "Send" });
  await shown.promise;
  await approvals.resolve(id, { decision: "approved" }, "page");
  await withdrawn.promise;
  await end(made);
  expect((await running).structuredContent).toMatchObject({ status: "succeeded" });
  expect(await approvals.answered(id)).toMatchObject({ by: "page" });
});

test("[G63] tells a client that cannot show its declared form that the call waits", async () => {
  const { connect, task, ask } = await setupMcp();
  const { call } = await connect(older, () => Promise.reject(new Error("no screen")));
  const running = call("run_code", CODE);
  const id = await ask(await task(), { title: "Send" });
  expect((await running).structuredContent).toMatchObject({ status: "waiting", approvals: [{ id }] });
});

test.each(ERAS)(
  "[G64] $era protocol: without forms, shows everything that waits, and gives the result later",
  async (era) => {
    const { connect, task, ask, end, approvals } = await setupMcp();
    const { call } = await connect(era);
    const running = call("run_code", CODE);
    const made = await task();
    const id = await ask(made, HIDDEN);
    const waiting = await running;
    expect(textOf(waiting)).toContain("\\u{202e}evil\\u{200b}");
    expect(textOf(waiting)).toContain(`\`deputy approvals approve ${id}\``);
    expect(waiting.structuredContent).toMatchObject({
      taskId: made.id,
      status: "waiting",
      approvals: [{ id }],
    });
    const args = { taskId: made.id, waitSeconds: 0 };
    expect((await call("task_result", args)).structuredContent).toMatchObject({ status: "waiting" });
    await approvals.resolve(id, { decision: "approved" }, "page");
    expect((await call("task_result", args)).structuredContent).toMatchObject({ status: "running" });
    const later = call("task_result", { taskId: made.id });
    await end(made);
    expect((await later).structuredContent).toMatchObject({ status: "succeeded" });
  },
);

test("[G64] a dismissed form leaves the question open, and `task_result` shows it again", async () => {
  const { connect, task, ask, end, approvals } = await setupMcp();
  const actions = ["cancel", "cancel", "accept"] as const;
  let shown = 0;
  const { call } = await connect(newer, () => ({ action: actions[shown++] ?? "cancel" }));
  const running = call("run_code", CODE);
  const made = await task();
  const id = await ask(made, { title: "Send" });
  expect((await running).structuredContent).toMatchObject({ status: "waiting" });
  expect((await call("task_result", { taskId: made.id })).structuredContent).toMatchObject({
    status: "waiting",
  });
  const later = call("task_result", { taskId: made.id });
  await vi.waitFor(async () => expect(await approvals.answered(id)).toMatchObject({ decision: "approved" }));
  await end(made);
  expect((await later).structuredContent).toMatchObject({ status: "succeeded" });
  expect(shown).toBe(3);
});

test("[G64] `task_result` does not find tasks from elsewhere", async () => {
  const { connect, createTask } = await setupMcp();
  const { call } = await connect(newer);
  const other = await createTask();
  for (const taskId of [other.id, "tsk_01J00000000000000000000000", "x"])
    expect(await call("task_result", { taskId })).toMatchObject({
      isError: true,
      content: [{ text: "There is no such task (not_found)" }],
    });
});

test.each(ERAS)("[G65] $era protocol: cancelling a call cancels its task", async (era) => {
  const { connect, task, statusOf } = await setupMcp();
  const { call } = await connect(era);
  const stop = new AbortController();
  const running = call("run_code", CODE, stop.signal);
  const made = await task();
  stop.abort();
  await expect(running).rejects.toThrow();
  await vi.waitFor(async () => expect(await statusOf(made)).toBe("cancelled"));
});

test.each(ERAS)("[G65] $era protocol: no longer waiting for a task does not cancel it", async (era) => {
  const { connect, task, ask, statusOf } = await setupMcp();
  const { call, client } = await connect(era);
  const begun = call("run_code", CODE);
  const made = await task();
  await ask(made, { title: "Send" });
  await begun;
  const stop = new AbortController();
  const waiting = client.callTool(
    { name: "task_result", arguments: { taskId: made.id } },
    { signal: stop.signal, onprogress: () => stop.abort() },
  );
  await expect(waiting).rejects.toThrow();
  await client.listTools();
  expect(await statusOf(made)).toBe("waiting");
});

test("[G65] older protocol: leaving cancels nothing, ending the session does", async () => {
  const { connect, task, statusOf, fetch } = await setupMcp();
  const first = await connect(older);
  const left = first.call("run_code", CODE).catch(() => "left");
  const kept = await task();
  await first.client.close();
  expect(await left).toBe("left");
  const second = await connect(older);
  const ended = second.call("run_code", CODE).catch(() => "ended");
  const made = await task(2);
  const session = second.transport.sessionId ?? "";
  await fetch("/mcp", { method: "DELETE", headers: { "mcp-session-id": session } });
  await vi.waitFor(async () => expect(await statusOf(made)).toBe("cancelled"));
  expect(await statusOf(kept)).toBe("running");
  await second.client.close();
  expect(await ended).toBe("ended");
});

test.each(ERAS)(
  "[G65] [G17] $era protocol: a stopping gateway says so, and leaves the task to the next start",
  async (era) => {
    const { connect, task, ask, statusOf, gateway } = await setupMcp();
    const shown = Promise.withResolvers<void>();
    const { call } = await connect(era, async () => {
      shown.resolve();
      return await new Promise(() => undefined);
    });
    const running = call("run_code", CODE);
    const made = await task();
    if (era === older) {
      await ask(made, { title: "Send" });
      await shown.promise;
    }
    await gateway.close();
    expect(await running).toMatchObject({ isError: true, structuredContent: { taskId: made.id } });
    expect(textOf(await running)).toContain(
      "the program continues without it, if necessary at the next start",
    );
    expect(await statusOf(made)).toBe(era === older ? "waiting" : "running");
  },
);

test("[G65] an expired session cancels nothing", async () => {
  const { connect, task, statusOf, post, fetch } = await setupMcp({ limits: { mcpSessions: 1 } });
  const { client, call, transport } = await connect(older);
  const left = call("run_code", CODE).catch(() => "left");
  const made = await task();
  await client.close();
  expect(await left).toBe("left");
  await vi.waitFor(async () => expect((await post("/mcp", INITIALIZE, ACCEPT)).status).toBe(200));
  const headers = { "mcp-session-id": transport.sessionId ?? "" };
  expect((await fetch("/mcp", { method: "DELETE", headers })).status).toBe(404);
  expect(await statusOf(made)).toBe("running");
});

test("[G60] [G15] counts streams and refuses one too many", async () => {
  const { connect, post } = await setupMcp({ limits: { openStreams: 0 } });
  expect((await post("/mcp", INITIALIZE, ACCEPT)).status).toBe(503);
  const { client } = await connect(newer);
  expect((await client.listTools()).tools).toHaveLength(5);
});
