import { once } from "node:events";
import { createIdSource, createSystemClock, type SessionId } from "@deputy/kit";
import { type NewEvent, noteMessage, storedBlobSchema } from "@deputy/protocol";
import { isJSONRPCResponse, JSONRPCClient, type JSONRPCResponse } from "json-rpc-2.0";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { connect, signIn } from "../test/socket-client.ts";

const ids = createIdSource({ clock: createSystemClock() });
const newItem = () => ids.next("item");

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const client = await signIn(gateway.url);
  /** The model says this next, piece by piece, each on the test's command. */
  const script = () => {
    const steps = [Promise.withResolvers<string>()];
    gateway.model.speak = async function* (_request, signal) {
      const stop = once(signal, "abort").then(() => Promise.reject(signal.reason as Error));
      stop.catch(() => undefined);
      for (let at = 0; ; at++) {
        const text = await Promise.race([steps[at]?.promise ?? "", stop]);
        if (text === "") return;
        yield text;
      }
    };
    return (text: string): void => {
      steps.push(Promise.withResolvers());
      steps.at(-2)?.resolve(text);
    };
  };
  return { ...gateway, client, script };
}

test("[G30] answers only health before signing in", async () => {
  const { url } = await setup();
  const client = connect(url);
  await once(client.ws, "open");
  expect(await client.call("health.check")).toMatchObject({ status: "ok", version: "1.2.3" });
  client.send({ id: 1, method: "sessions.list" });
  expect(await client.closed).toMatchObject({ code: 4401 });
  expect(client.frames).toHaveLength(1);
});

test("[G162] a client of JSON-RPC 2.0 is answered in its own terms, any other as it asked", async () => {
  const { client } = await setup();
  const rpc = new JSONRPCClient((request) => client.send(request));
  client.ws.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as JSONRPCResponse;
    if (isJSONRPCResponse(frame)) rpc.receive(frame);
  });
  expect(await rpc.request("health.check", {})).toMatchObject({ status: "ok" });
  await expect(rpc.request("sessions.get", { sessionKey: 5 })).rejects.toMatchObject({ code: -32_602 });
  await expect(rpc.request("no.such", {})).rejects.toMatchObject({ code: -32_601 });
  client.send({ jsonrpc: "2.0", id: "x", method: 5 });
  expect(await client.until(({ id }) => id === "x")).toMatchObject({ jsonrpc: "2.0", error: {} });
  await client.call("health.check");
  expect(client.frames.at(-1)).not.toHaveProperty("jsonrpc");
});

test("[G31] answers a message with its run; deltas and the end follow, in that order", async () => {
  const { client } = await setup();
  const { sessionKey } = await client.call("sessions.create");
  const { runId } = await client.call("chat.send", { sessionKey, message: "Hi" });
  expect(await client.push("chat.final")).toMatchObject({ runId, usage: { outputTokens: 7 } });
  const events = client.frames.map((frame) => frame["event"] ?? (frame["result"] !== undefined && "result"));
  expect(events.filter((event) => event !== false)).toEqual([
    "result",
    "result",
    ...client.pushes().map(({ event }) => event),
  ]);
  const texts = client.pushes().flatMap((push) => (push.event === "chat.delta" ? [push.data.text] : []));
  expect(texts.join("")).toBe("Hello, world.");
  expect(client.pushes().some(({ event }) => event === "event")).toBe(false);
  const { messages } = await client.call("chat.history", { sessionKey });
  expect(messages).toMatchObject([
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello, world." },
  ]);
});

test("[G31] quoted text comes before the message, and is not the user's word", async () => {
  const { client } = await setup();
  const { sessionKey } = await client.call("sessions.create");
  const quoted = [{ source: "a.md", text: "Do as I say" }];
  await client.call("chat.send", { sessionKey, message: "Read it", quoted });
  await client.push("chat.final");
  const { messages } = await client.call("chat.history", { sessionKey });
  expect(messages.slice(0, 2)).toMatchObject([
    { role: "user", content: expect.stringContaining("from a.md:]\nDo as I say\n") as string },
    { role: "user", content: "Read it" },
  ]);
});

test("[G31] [G48] attachments are in the message's event, and the agent is told of them", async () => {
  const { client, log, model, fetch } = await setup();
  const headers = { "content-type": "application/octet-stream" };
  const uploaded = await fetch("/api/blobs", { method: "POST", body: "12345", headers });
  const { blobId } = storedBlobSchema.parse(await uploaded.json());
  const { sessionKey, sessionId } = await client.call("sessions.create");
  const attachments = [{ blobId, name: "a.pdf", mimeType: "application/pdf" }, { blobId }];
  await client.call("chat.send", { sessionKey, message: "Keep it", attachments });
  await client.push("chat.final");
  const events = await Array.fromAsync(log.read(sessionId));
  expect(events.find(({ type }) => type === "user.message")?.data).toMatchObject({
    text: "Keep it",
    trust: "user",
    attachments: [
      { blobId, name: "a.pdf", mimeType: "application/pdf", size: 5 },
      { blobId, name: "unnamed", mimeType: "application/octet-stream", size: 5 },
    ],
  });
  const { messages } = await client.call("chat.history", { sessionKey });
  expect(messages[0]).toMatchObject({
    role: "user",
    content: "Keep it",
    attachments: [
      { blobId, name: "a.pdf", mimeType: "application/pdf" },
      { blobId, name: "unnamed", mimeType: "application/octet-stream" },
    ],
  });
  const told = JSON.stringify(model.asked[0]?.messages);
  expect(told).toContain("a.pdf");
  expect(told).not.toContain("12345");
});

test("[G31] [G48] refuses a message with an attachment that was never uploaded, by its id", async () => {
  const { client, log } = await setup();
  const { sessionKey, sessionId } = await client.call("sessions.create");
  const before = await log.head(sessionId);
  const blobId = "0".repeat(64);
  const refusal = {
    message: `attachments.0.blobId: there is no attachment ${blobId}`,
    data: { code: "not_found" },
  };
  await expect(
    client.call("chat.send", { sessionKey, message: "Keep it", attachments: [{ blobId }] }),
  ).rejects.toThrow(JSON.stringify({ code: -32_000, ...refusal }));
  expect(await log.head(sessionId)).toEqual(before);
});

test("[G31] a message during a run is answered in it", async () => {
  const { client, script, model, log } = await setup();
  const say = script();
  const { sessionKey, sessionId } = await client.call("sessions.create");
  const first = await client.call("chat.send", { sessionKey, message: "One" });
  say("Working");
  await vi.waitFor(() => expect(model.asked).toHaveLength(1));
  const second = await client.call("chat.send", { sessionKey, message: "Two" });
  expect(second.runId).toBe(first.runId);
  say("");
  await vi.waitFor(() => expect(model.asked).toHaveLength(2));
  await client.push("chat.final");
  const types = (await Array.fromAsync(log.read(sessionId))).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("turn."))).toEqual(["turn.started", "turn.completed"]);
});

test("[G31] a run can be stopped once", async () => {
  const { client, script, model } = await setup();
  const say = script();
  const { sessionKey } = await client.call("sessions.create");
  const { runId } = await client.call("chat.send", { sessionKey, message: "One" });
  say("Working");
  await vi.waitFor(() => expect(model.asked).toHaveLength(1));
  expect(await client.call("chat.abort", { runId })).toEqual({ ok: true });
  expect(await client.push("chat.error")).toEqual({ runId, message: "Stopped by owner" });
  expect(await client.call("chat.abort", { runId })).toEqual({ ok: false });
});

test("[G31] refuses a message beyond the queue's limit with “Messages limit reached”", async () => {
  const { client, script, model } = await setup();
  const say = script();
  const { sessionKey } = await client.call("sessions.create");
  await client.call("chat.send", { sessionKey, message: "running" });
  await vi.waitFor(() => expect(model.asked).toHaveLength(1));
  for (let n = 0; n < 20; n++) await client.call("chat.send", { sessionKey, message: `${n}` });
  expect(await client.failure("chat.send", { sessionKey, message: "one more" })).toMatchObject({
    code: -32_000,
    message: "Messages limit reached",
    data: { code: "too_many_messages" },
  });
  say("");
});

test("[G32] finds sessions by key and by id; unknown ones are not found", async () => {
  const { client, createTask, log } = await setup();
  const { sessionKey, sessionId } = await client.call("sessions.create", { agentId: "helper" });
  await client.call("chat.send", { sessionKey: sessionId, message: "Hi" });
  await client.push("chat.final");
  const got = await client.call("sessions.get", { sessionKey });
  expect(got.session).toMatchObject({ id: sessionId, key: sessionKey, agentId: "helper", turns: 1 });
  expect(got.messages).toHaveLength(2);
  expect(got.head).toBe((await log.head(sessionId))?.seq);
  expect(await client.call("chat.history", { sessionKey, limit: 1 })).toMatchObject({
    messages: [{ content: "Hello, world." }],
    hasMore: true,
  });
  const { sessions } = await client.call("sessions.list");
  expect(sessions).toMatchObject([{ id: sessionId, title: "Hi" }]);
  for (const method of ["sessions.get", "chat.history"])
    expect((await client.failure(method, { sessionKey: "nowhere" })).data.code).toBe("not_found");
  expect((await client.failure("chat.send", { sessionKey: "nowhere", message: "x" })).data.code).toBe(
    "not_found",
  );
  expect((await client.failure("sessions.create", { agentId: "nobody" })).data.code).toBe("unknown_agent");
  const { stream } = await createTask();
  const refused = await client.failure("chat.send", { sessionKey: stream, message: "x" });
  expect(refused.data.code).toBe("session_of_task");
  const { agents } = await client.call("agents.list");
  expect(agents).toMatchObject([
    { id: "helper", isDefault: false },
    { id: "main", isDefault: true },
  ]);
});

test("[G32] a client can name a key of its channel, and continue its newest session or begin a new one", async () => {
  const { client } = await setup();
  const named = { key: "terminal--work", channel: "terminal" };
  const opened = await Promise.all(
    [1, 2, 3].map(() => client.call("sessions.create", { ...named, existing: "go_on" })),
  );
  expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(opened.map(({ outcome }) => outcome).toSorted()).toEqual(["resumed", "resumed", "started"]);
  expect(opened[0]).toMatchObject({ session: { ...named, agentId: "main", turns: 0 }, head: 1 });
  const anew = await client.call("sessions.create", named);
  expect(anew).toMatchObject({ sessionKey: "terminal--work", outcome: "started" });
  expect(anew.sessionId).not.toBe(opened[0]?.sessionId);
  const found = await client.call("sessions.get", { sessionKey: "terminal--work" });
  expect(found.session.id).toBe(anew.sessionId);
  for (const wrong of [
    { key: "telegram--1", channel: "terminal" },
    { key: "terminal--work" },
    { key: "../x", channel: ".." },
    { key: "terminal--a b", channel: "terminal" },
  ])
    expect((await client.failure("sessions.create", wrong)).data.code).toBe("invalid_request");
});

test("[G33] every error has JSON-RPC's number and a code of ours", async () => {
  const { client, createTask } = await setup();
  expect(await client.failure("no.such")).toMatchObject({ code: -32_601, data: { code: "unknown_method" } });
  expect(await client.failure("toString")).toMatchObject({ code: -32_601 });
  expect(await client.failure("chat.history", { sessionKey: "" })).toMatchObject({
    code: -32_602,
    message: expect.stringContaining("sessionKey"),
    data: { code: "invalid_request" },
  });
  expect(await client.failure("chat.history", { sessionKey: "x", more: 1 })).toMatchObject({ code: -32_602 });
  expect(await client.failure("chat.history", [])).toMatchObject({ code: -32_600 });
  client.send("{");
  expect(await client.until((frame) => frame["id"] === null)).toMatchObject({
    error: { code: -32_700, data: { code: "invalid_json" } },
  });
  const task = await createTask();
  await client.call("tasks.cancel", { taskId: task.id });
  expect((await client.failure("workspace.status")).data.code).toBe("not_available");
});

test("[G33] reports an unforeseen failure, and tells the client nothing about it", async () => {
  const { client, bugs } = await setup({
    readSetting: () => {
      throw new Error("secret");
    },
  });
  const error = await client.failure("config.get");
  expect(error).toMatchObject({ code: -32_603, data: { code: "internal" } });
  expect(JSON.stringify(error)).not.toContain("secret");
  expect(bugs).toMatchObject([{ message: "secret" }]);
});

test("[G125] history has neither the heartbeat's own prompt nor an answer that tells nothing; notes are notices", async () => {
  const { client, log, sessions } = await setup();
  const { sessionKey, sessionId } = await client.call("sessions.create");
  await client.call("chat.send", { sessionKey, message: "Hi" });
  await client.push("chat.final");
  const ask = (text: string): NewEvent => {
    const said = { attachments: [], channel: "heartbeat", sender: "heartbeat", trust: "user" as const };
    return { type: "user.message", data: { ...said, text } };
  };
  const answer = (text: string) =>
    ({ type: "assistant.message", data: { itemId: newItem(), text } }) as const;
  await log.append(sessionId, [
    { type: "user.message", data: noteMessage({ from: "process", text: "The command `make` has ended." }) },
    ask("A command has ended. Tell the user, or say nothing."),
    answer("HEARTBEAT_OK"),
    ask("A command has ended. Tell the user, or say nothing."),
    answer("The build is done."),
  ]);
  const expected = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello, world." },
    { role: "notice", from: "process", content: "The command `make` has ended." },
    { role: "assistant", content: "The build is done." },
  ];
  expect((await client.call("chat.history", { sessionKey })).messages).toMatchObject(expected);
  expect((await client.call("sessions.get", { sessionKey })).messages).toMatchObject(expected);
  expect((await sessions.find(sessionId))?.id).toBe(sessionId);
});

test("[G136] whoever has talked in a session gets what the agent says to a command's end, whole, and no answer that tells nothing", async () => {
  const { client, log } = await setup();
  const { sessionKey, sessionId } = await client.call("sessions.create");
  await client.call("chat.send", { sessionKey, message: "Hi" });
  await client.push("chat.final");
  const answerTo = async (text: string): Promise<void> => {
    const turnId = ids.next("turn");
    const said = { attachments: [], channel: "heartbeat", sender: "heartbeat", trust: "untrusted" as const };
    const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
    await log.append(sessionId, [
      { type: "user.message", turnId, data: { ...said, text: "Tell the user, or say nothing." } },
      { type: "turn.started", turnId, data: { agentId: "main", model: "test/x" } },
      { type: "assistant.message", turnId, data: { itemId: newItem(), text } },
      { type: "turn.completed", turnId, data: { usage } },
    ]);
  };
  await answerTo("HEARTBEAT_OK");
  await answerTo("The build is done.");
  await vi.waitFor(() =>
    expect(client.pushes().filter(({ event }) => event === "chat.final")).toHaveLength(2),
  );
  const texts = client.pushes().flatMap((push) => (push.event === "chat.delta" ? [push.data.text] : []));
  expect(texts.filter((text) => /HEARTBEAT|build/.test(text))).toEqual(["The build is done."]);
});

test("[G126] whoever has talked in a session hears of a command that ends later, once, and so does a subscriber", async () => {
  const { client, log, url } = await setup();
  const { sessionKey, sessionId } = await client.call("sessions.create");
  const watcher = await signIn(url);
  await watcher.call("events.subscribe", { stream: sessionId });
  const stranger = await signIn(url);
  await client.call("chat.send", { sessionKey, message: "Hi" });
  await client.push("chat.final");
  const end = async (command: string) => {
    const note = noteMessage({ from: "process", text: `The command ${command} has ended.` });
    await log.append(sessionId, [{ type: "user.message", data: note }]);
  };
  await end("make");
  const told = { sessionId, from: "process", text: "The command make has ended." };
  expect(await client.push("chat.notice")).toMatchObject(told);
  expect(await watcher.push("chat.notice")).toMatchObject(told);
  // A later message is answered as ever, and what was told is not told again.
  await client.call("chat.send", { sessionKey, message: "And?" });
  await end("test");
  await vi.waitFor(() => {
    const events = client.pushes().map(({ event }) => event);
    expect(events.filter((event) => event === "chat.final")).toHaveLength(2);
    expect(events.filter((event) => event === "chat.notice")).toHaveLength(2);
  });
  await stranger.call("health.check");
  expect(stranger.pushes()).toEqual([]);
});

test("[G140] what somebody writes in a chat app is theirs in the log, and only the user's word if it is", async () => {
  const { client, log } = await setup();
  const { sessionKey, sessionId } = await client.call("sessions.create", {
    channel: "telegram",
    key: "telegram--17",
  });
  const say = (message: string, id: string, trust: string) =>
    client.call("chat.send", { sessionKey, message, sender: { channel: "telegram", id, trust } });
  await say("mine", "17", "user");
  await say("a guest's", "66", "untrusted");
  const said = (await Array.fromAsync(log.read(sessionId as SessionId))).filter(
    ({ type }) => type === "user.message",
  );
  expect(said.map(({ data }) => data)).toMatchObject([
    { text: "mine", channel: "telegram", sender: "telegram:17", trust: "user" },
    { text: "a guest's", channel: "telegram", sender: "telegram:66", trust: "untrusted" },
  ]);
  expect(
    (await client.failure("chat.send", { sessionKey, message: "x", sender: { id: "1" } })).data.code,
  ).toBe("invalid_request");
});
