import type { NewEvent, StreamId } from "@deputy/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { signIn, type SocketClient } from "../test/socket-client.ts";

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const { log, ids } = gateway;
  const streams = Array.from({ length: 3 }, () => ids.next("session"));
  const note = (text: string): NewEvent => ({ type: "error", data: { code: "note", message: text } });
  for (const stream of streams) await log.append(stream, [note("1"), note("2"), note("3")]);
  const [first, second, third] = streams;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three");
  const write = (stream: StreamId, text: string) => log.append(stream, [note(text)]);
  return { ...gateway, first, second, third, write };
}

/** What a client got of a stream, in order. */
const seqsOf = (client: SocketClient, stream: StreamId): number[] =>
  client
    .pushes()
    .flatMap((push) => (push.event === "event" && push.data.stream === stream ? [push.data.seq] : []));

test("[G34] sends a stream from its beginning, then live, without gap or repeat", async () => {
  const { url, first, write } = await setup();
  const client = await signIn(url);
  expect(await client.call("events.subscribe", { stream: first })).toEqual({
    stream: first,
    after: 0,
    head: 3,
  });
  await write(first, "4");
  await client.push("event", ({ seq }) => seq === 4);
  expect(seqsOf(client, first)).toEqual([1, 2, 3, 4]);
});

test("[G34] after a cut at any point, `after` resumes exactly", async () => {
  const { url, first, write } = await setup();
  for (let cut = 0; cut <= 3; cut++) {
    const client = await signIn(url);
    await client.call("events.subscribe", { stream: first, after: cut });
    const { seq } = (await write(first, "more"))[0] ?? { seq: 0 };
    await client.push("event", (event) => event.seq === seq);
    expect(seqsOf(client, first)).toEqual(Array.from({ length: seq - cut }, (_, n) => cut + 1 + n));
    client.ws.terminate();
  }
});

test("[G34] one connection carries many independent streams", async () => {
  const { url, first, second, third, write } = await setup();
  const client = await signIn(url);
  for (const stream of [first, second, third]) await client.call("events.subscribe", { stream, after: 3 });
  expect(await client.call("events.unsubscribe", { stream: second })).toEqual({ ok: true });
  expect(await client.call("events.unsubscribe", { stream: second })).toEqual({ ok: false });
  for (const stream of [second, third, first]) await write(stream, "4");
  await client.push("event", ({ stream }) => stream === first);
  expect(seqsOf(client, first)).toEqual([4]);
  expect(seqsOf(client, third)).toEqual([4]);
  expect(seqsOf(client, second)).toEqual([]);
});

test("[G34] subscribing again starts over from there", async () => {
  const { url, first } = await setup();
  const client = await signIn(url);
  await client.call("events.subscribe", { stream: first, after: 2 });
  await client.push("event");
  await client.call("events.subscribe", { stream: first, after: 1 });
  await vi.waitFor(() => expect(seqsOf(client, first)).toEqual([3, 2, 3]));
});

test("[G35] refuses an unknown stream and a position beyond its end", async () => {
  const { url, first, ids } = await setup();
  const client = await signIn(url);
  const failed = async (params: object) => (await client.failure("events.subscribe", params)).data.code;
  expect(await failed({ stream: ids.next("session") })).toBe("not_found");
  expect(await failed({ stream: first, after: 4 })).toBe("invalid_cursor");
  expect(await failed({ stream: "nonsense" })).toBe("invalid_request");
  expect(await failed({ stream: first, after: -1 })).toBe("invalid_request");
});

test("[G36] a session's subscriber is told of others' runs, and of its own only once", async () => {
  const { url } = await setup();
  const [talker, watcher] = [await signIn(url), await signIn(url)];
  const { sessionKey, sessionId } = await talker.call("sessions.create");
  await watcher.call("events.subscribe", { stream: sessionId });
  await talker.call("events.subscribe", { stream: sessionId });
  const { runId } = await talker.call("chat.send", { sessionKey, message: "Hi" });
  for (const client of [talker, watcher]) {
    await client.push("event", ({ type }) => type === "turn.completed");
    const text = client.pushes().flatMap((push) => (push.event === "chat.delta" ? [push.data.text] : []));
    expect(text.join("")).toBe("Hello, world.");
    expect(client.pushes().filter(({ event }) => event === "chat.final")).toMatchObject([
      { data: { runId } },
    ]);
    const seqs = seqsOf(client, sessionId);
    expect(seqs).toEqual(seqs.map((_, n) => n + 1));
  }
});

test("[G36] subscribing during a followed run repeats nothing of it", async () => {
  const { url, model } = await setup();
  const client = await signIn(url);
  const go = Promise.withResolvers<void>();
  model.speak = async function* () {
    yield "One ".repeat(100);
    await go.promise;
    yield "two";
  };
  const { sessionKey, sessionId } = await client.call("sessions.create");
  await client.call("chat.send", { sessionKey, message: "Hi" });
  await client.push("chat.delta");
  await client.call("events.subscribe", { stream: sessionId });
  go.resolve();
  await client.push("event", ({ type }) => type === "turn.completed");
  const text = client.pushes().flatMap((push) => (push.event === "chat.delta" ? [push.data.text] : []));
  expect(text.join("")).toBe(`${"One ".repeat(100)}two`);
  expect(seqsOf(client, sessionId)).toEqual([1, 2, 3, 4, 5]);
});

test("[G36] pushes a new approval, which can then be answered", async () => {
  const { url, log, ids, first, approvals } = await setup();
  const client = await signIn(url);
  await client.call("events.subscribe", { stream: first, after: 3 });
  const ask = async () => {
    const approvalId = ids.next("call");
    const data = {
      approvalId,
      toolPath: "mail.send",
      input: { to: "amy@example.org" },
      preview: { title: "Send a mail" },
      bindingHash: "0".repeat(64),
    };
    await log.append(first, [{ type: "approval.requested", data }]);
    await client.push("exec.approval_request", (request) => request.approvalId === approvalId);
    return approvalId;
  };
  const [yes, no] = [await ask(), await ask()];
  expect(await client.call("exec.approve", { approvalId: yes, scope: "once" })).toEqual({ ok: true });
  expect(await client.call("exec.approve", { approvalId: yes })).toEqual({ ok: true });
  expect((await client.failure("exec.deny", { approvalId: yes })).data.code).toBe(
    "approval_already_resolved",
  );
  expect(await client.call("exec.deny", { approvalId: no, reason: "not now" })).toEqual({ ok: true });
  expect(await approvals.answered(no)).toMatchObject({ decision: "denied", by: "owner", reason: "not now" });
  expect((await client.failure("exec.approve", { approvalId: ids.next("call") })).data.code).toBe(
    "not_found",
  );
});
