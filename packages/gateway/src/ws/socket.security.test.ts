import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect as connectTcp, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { IdSource } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { connect, signIn } from "../test/socket-client.ts";

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const alive = async () => expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  /** The answer to an upgrade that was refused. */
  const refused = async (headers: Readonly<Record<string, string>>, path = "/ws") => {
    const ws = new WebSocket(`${gateway.url.replace("http", "ws")}${path}`, { headers });
    ws.on("error", () => undefined);
    const [, response] = (await once(ws, "unexpected-response")) as [unknown, IncomingMessage];
    let body = "";
    for await (const chunk of response) body += String(chunk);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: JSON.parse(body) as { code: string },
    };
  };
  /** A socket that was upgraded, to be written to byte by byte. */
  const rawSocket = async (): Promise<Socket> => {
    const socket = connectTcp(gateway.port, "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${"A".repeat(22)}==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    await once(socket, "data");
    return socket;
  };
  return { ...gateway, alive, refused, rawSocket };
}

/** A masked frame, whole; the mask is zero. */
function frame(opcode: number, payload: Buffer): Buffer {
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.concat([Buffer.from([0x80 | 126]), Buffer.from([payload.length >> 8, payload.length & 255])]);
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, Buffer.alloc(4), payload]);
}

/** The code of the close frame that a server sent last. */
async function closeCode(socket: Socket): Promise<number> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await once(socket, "close");
  const all = Buffer.concat(chunks);
  const at = all.lastIndexOf(0x88);
  return all.readUInt16BE(at + 2);
}

test.each(["evil.example", "evil.example:80", "127.0.0.1:1", "127.0.0.1."])(
  "[GC2] [GC3] refuses an upgrade whose Host does not name this server: %s",
  async (host) => {
    const { refused } = await setup();
    expect(await refused({ host })).toMatchObject({ status: 421, body: { code: "host_not_allowed" } });
  },
);

test.each([
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "http://127.0.0.1:1" },
  { origin: "http://localhost:5173" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
])("[GC4] refuses an upgrade from another page before signing in: %j", async (headers) => {
  const { refused, alive } = await setup();
  const answer = await refused(headers);
  expect(answer).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  await alive();
});

test("[GC4] accepts our own page with the token", async () => {
  const { url } = await setup();
  const client = await signIn(url, TOKEN, { origin: url, "sec-fetch-site": "same-origin" });
  expect(await client.call("health.check")).toMatchObject({ status: "ok" });
});

test.each([
  ["another method", { id: 1, method: "sessions.list", params: {} }],
  ["a wrong token", { type: "auth", token: "wrong" }],
  ["an empty token", { type: "auth", token: "" }],
  ["an invalid token", { type: "auth", token: 1 }],
  ["not JSON", "{"],
  ["an unknown method", { id: 1, method: "no.such" }],
])("[GC5] [GC13] needs the token even without an Origin: %s", async (_name, first) => {
  const { url, conversations, log } = await setup();
  const client = connect(url, { authorization: `Bearer ${TOKEN}`, cookie: `token=${TOKEN}` });
  await once(client.ws, "open");
  client.send(first);
  const unknown = typeof first === "object" && "method" in first && first.method === "no.such";
  if (unknown) expect(await client.until(({ id }) => id === 1)).toMatchObject({ error: { code: -32_601 } });
  else expect(await client.closed).toMatchObject({ code: 4401 });
  expect(conversations).toBeDefined();
  expect((await Array.fromAsync(log.readAll())).every(({ event }) => event.stream === "system")).toBe(true);
});

test("[GC14] refuses a token in the address", async () => {
  const { refused } = await setup();
  expect(await refused({}, `/ws?token=${TOKEN}`)).toMatchObject({
    status: 400,
    body: { code: "token_in_query" },
  });
});

test("[GC15] counts wrong tokens over sockets and HTTP together, even concurrent ones", async () => {
  const { url, fetch } = await setup({ peerUid: () => 54_321 });
  const guess = async (n: number) => {
    const client = connect(url);
    await once(client.ws, "open");
    client.send({ type: "auth", token: `guess-${n}` });
    return (await client.closed).code;
  };
  const codes = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)));
  expect(codes.filter((code) => code === 4401)).toHaveLength(20);
  expect(codes.filter((code) => code === 4429)).toHaveLength(10);
  expect((await fetch("/api/tasks")).status).toBe(429);
  const client = connect(url);
  await once(client.ws, "open");
  client.send({ type: "auth", token: TOKEN });
  expect((await client.closed).code).toBe(4429);
});

test("[GC16] a new token ends sockets of the old one: at the next frame, the next push, and when silent", async () => {
  const clock = createFakeClock();
  const { url, setToken, log, createTask } = await setup({ clock });
  const [silent, asking, told] = [await signIn(url), await signIn(url), await signIn(url)];
  const task = await createTask();
  await told.call("events.subscribe", { stream: task.stream });
  await told.push("event");
  setToken("another-token");
  await clock.advance(20);
  asking.send({ id: "late", method: "tasks.list" });
  expect(await asking.closed).toMatchObject({ code: 4401 });
  expect(asking.frames.some(({ id }) => id === "late")).toBe(false);
  await log.append(task.stream, [{ type: "error", data: { code: "x", message: "for the new owner only" } }]);
  expect(await told.closed).toMatchObject({ code: 4401 });
  expect(JSON.stringify(told.frames)).not.toContain("new owner");
  await clock.advance(1_000);
  expect(await silent.closed).toMatchObject({ code: 4401 });
  await signIn(url, "another-token");
});

test("[GC17] [GC18] ignores what a client claims to be, and the log names the owner", async () => {
  const { url, createTask, log } = await setup();
  const client = await signIn(url, TOKEN, { "x-forwarded-user": "root", "x-forwarded-for": "10.0.0.1" });
  const task = await createTask();
  expect((await client.failure("tasks.cancel", { taskId: task.id, by: "root" })).code).toBe(-32_602);
  await client.call("tasks.cancel", { taskId: task.id });
  const cancelled = (await Array.fromAsync(log.read(task.stream))).find(
    ({ type }) => type === "task.cancelled",
  );
  expect(cancelled?.data).toMatchObject({ by: "owner" });
});

test("[G21] accepts plugins over a socket only from a local program", async () => {
  const { url, programs } = await setup();
  const program = { code: "return 1", language: "javascript", plugins: ["/tmp/plugin.ts"] };
  for (const headers of [
    { origin: url, "sec-fetch-site": "same-origin" },
    { "x-forwarded-for": "10.0.0.1" },
  ] as Record<string, string>[]) {
    const client = await signIn(url, TOKEN, headers);
    expect((await client.failure("tasks.create", { program })).data.code).toBe("plugins_not_allowed");
  }
  expect(programs).toEqual([]);
  await (await signIn(url)).call("tasks.create", { program });
  expect(programs).toHaveLength(1);
});

test("[GC22] a resumed subscription gets only the gap of its own stream", async () => {
  const { url, createTask, log } = await setup();
  const [mine, other] = [await createTask("mine"), await createTask("other")];
  const client = await signIn(url);
  await client.call("events.subscribe", { stream: mine.stream, after: 1 });
  for (const { stream } of [other, mine])
    await log.append(stream, [{ type: "error", data: { code: "x", message: stream } }]);
  await client.push("event", ({ type }) => type === "error");
  expect(client.pushes().every((push) => push.event !== "event" || push.data.stream === mine.stream)).toBe(
    true,
  );
});

/** Memory in use after garbage collection. */
function heldMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}

const longMessages = (ids: IdSource, count: number): NewEvent[] =>
  Array.from({ length: count }, () => ({
    type: "assistant.message",
    data: { itemId: ids.next("item"), text: "x".repeat(100_000) },
  }));

test("[GC23] stalled readers cost bounded memory and do not disturb others", async () => {
  const readers = 50;
  const { url, log, createTask, ids } = await setup();
  const task = await createTask();
  const stalled = await Promise.all(Array.from({ length: readers }, () => signIn(url)));
  await log.append(task.stream, longMessages(ids, 100));
  const beforeMb = heldMb();
  for (const client of stalled) {
    client.ws.pause();
    client.send({ id: 1, method: "events.subscribe", params: { stream: task.stream } });
  }
  const quick = await signIn(url);
  await quick.call("events.subscribe", { stream: task.stream });
  await quick.push("event", ({ seq }) => seq >= 100);
  quick.frames.length = 0;
  // A megabyte each, where sending everything at once would hold ten.
  expect(heldMb() - beforeMb).toBeLessThan(readers);
});

test("[GC23] tells a stalled reader to resume, which works without a gap", async () => {
  const clock = createFakeClock();
  const { url, log, createTask, ids } = await setup({ clock, limits: { stallMs: 1_000 } });
  const task = await createTask();
  await log.append(task.stream, longMessages(ids, 200));
  const client = await signIn(url);
  client.ws.pause();
  client.send({ id: 1, method: "events.subscribe", params: { stream: task.stream } });
  const quick = await signIn(url);
  await quick.call("events.subscribe", { stream: task.stream, after: 100 });
  await quick.push("event", ({ seq }) => seq === 203);
  for (let second = 0; second < 3; second++) await clock.advance(1_000);
  client.ws.resume();
  expect(await client.closed).toMatchObject({ code: 4008, reason: expect.stringContaining("after") });
  const got = client.pushes().flatMap((push) => (push.event === "event" ? [push.data.seq] : []));
  expect(got).toEqual(got.map((_, n) => n + 1));
  expect(got.length).toBeLessThan(203);
  const again = await signIn(url);
  await again.call("events.subscribe", { stream: task.stream, after: got.length });
  expect((await again.push("event")).seq).toBe(got.length + 1);
});

test("[GC23] stops listening to a client that asks without reading, at a bounded cost", async () => {
  const { url, log, createTask, ids, alive } = await setup({ limits: { socketRequests: 4 } });
  const task = await createTask();
  const text = "x".repeat(500_000);
  await log.append(task.stream, [{ type: "assistant.message", data: { itemId: ids.next("item"), text } }]);
  const client = await signIn(url);
  client.ws.pause();
  const beforeMb = heldMb();
  const request = { method: "chat.history", params: { sessionKey: task.stream } };
  for (let id = 0; id < 5_000; id++) client.send({ id, ...request });
  await new Promise((resolve) => void setTimeout(resolve, 300));
  expect(heldMb() - beforeMb).toBeLessThan(40);
  await alive();
  client.ws.resume();
  await client.until(({ id }) => id === 20);
});

test("[GC24] refuses strange requests, and the connection stays open", async () => {
  const { url, alive } = await setup();
  const client = await signIn(url);
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  const strange = [
    deep,
    `{"id":1,"method":"health.check","params":{"a":${deep}}}`,
    `{"id":2,"method":"health.check","params":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
    '{"id":3,"method":"health.check","params":{"__proto__":{"admin":true}}}',
    '{"id":4,"method":"health.check","params":{"\\u005f_proto__":{"admin":true}}}',
    '{"id":5,"method":"health.check","params":{"constructor":{"prototype":{}}}}',
    "[]",
    "null",
    '"x"',
    "",
    '{"id":{},"method":"health.check"}',
    '{"id":1.5,"method":"health.check"}',
    '{"method":"health.check"}',
    '{"id":6,"method":["health.check"]}',
    '[{"id":7,"method":"health.check"}]',
    `{"id":"${"x".repeat(300)}","method":"health.check"}`,
    '{"type":"auth","token":"again"}',
  ];
  for (const text of strange) client.send(text);
  await vi.waitFor(() => expect(client.frames).toHaveLength(strange.length + 1));
  expect(client.frames.slice(1).every((answer) => "error" in answer)).toBe(true);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
  expect(await client.call("health.check")).toMatchObject({ status: "ok" });
  await alive();
});

test("[GC25] a frame over the limit closes only its socket", async () => {
  const { url, alive } = await setup();
  const client = await signIn(url);
  client.send(`{"id":1,"method":"health.check","params":{"a":"${"x".repeat(1_000_000)}"}}`);
  expect(await client.closed).toMatchObject({ code: 1009 });
  await alive();
});

test("[GC25] closes cleanly after invalid UTF-8, binary frames and broken frames", async () => {
  const { url, rawSocket, alive } = await setup();
  const socket = await rawSocket();
  socket.write(frame(1, Buffer.from([0xc3, 0x28, 0xa0, 0xa1])));
  expect(await closeCode(socket)).toBe(1007);
  const reserved = await rawSocket();
  reserved.write(frame(3, Buffer.from("x")));
  expect(await closeCode(reserved)).toBe(1002);
  const unmasked = await rawSocket();
  unmasked.write(Buffer.from([0x81, 0x01, 0x78]));
  expect(await closeCode(unmasked)).toBe(1002);
  const client = await signIn(url);
  client.ws.send(Buffer.from("{}"), { binary: true });
  expect(await client.closed).toMatchObject({ code: 1003 });
  await alive();
});

test("[GC25] cuts off a flood of pings, and answers a few", async () => {
  const { url, alive } = await setup();
  const client = await signIn(url);
  client.ws.ping("x");
  await once(client.ws, "pong");
  for (let n = 0; n < 1_000; n++) client.ws.ping();
  expect(await client.closed).toMatchObject({ code: 1008 });
  await alive();
});

test("[GC25] cuts off a flood of tiny fragments", async () => {
  const { rawSocket, alive } = await setup();
  const socket = await rawSocket();
  const fragment = Buffer.from([0x00, 0x80, 0, 0, 0, 0]);
  socket.write(Buffer.concat([Buffer.from([0x01, 0x80, 0, 0, 0, 0]), ...Array(2_000).fill(fragment)]));
  expect(await closeCode(socket)).toBe(1008);
  await alive();
});

test("[G37] closes a socket that does not sign in in time, and accepts no more than a sign-in from it", async () => {
  const clock = createFakeClock();
  const { url } = await setup({ clock });
  const late = connect(url);
  await once(late.ws, "open");
  await late.call("health.check");
  const loud = connect(url);
  await once(loud.ws, "open");
  loud.send(`{"id":1,"method":"health.check","params":{"a":"${"x".repeat(20_000)}"}}`);
  expect(await loud.closed).toMatchObject({ code: 1006 });
  const chatty = connect(url);
  await once(chatty.ws, "open");
  for (let id = 0; id < 20; id++) chatty.send({ id, method: "health.check" });
  expect(await chatty.closed).toMatchObject({ code: 4401 });
  await clock.advance(9_000);
  await late.call("health.check");
  await clock.advance(1_000);
  expect(await late.closed).toMatchObject({ code: 4408 });
});

test("[G37] limits sockets, those that have not signed in, and streams per socket", async () => {
  const { url, refused, createTask } = await setup({
    limits: { sockets: 3, anonymousSockets: 2, socketStreams: 1 },
  });
  const [first, second] = [connect(url), connect(url)];
  await Promise.all([once(first.ws, "open"), once(second.ws, "open")]);
  expect(await refused({})).toMatchObject({ status: 503, body: { code: "too_many_connections" } });
  first.send({ type: "auth", token: TOKEN });
  await first.until(({ ok }) => ok === true);
  second.send({ type: "auth", token: TOKEN });
  await second.until(({ ok }) => ok === true);
  const third = await signIn(url);
  expect((await refused({})).status).toBe(503);
  second.ws.close();
  await second.closed;
  await vi.waitFor(() => signIn(url));
  const [a, b] = [await createTask(), await createTask()];
  await third.call("events.subscribe", { stream: a.stream });
  await third.call("events.subscribe", { stream: a.stream });
  const refusal = await third.failure("events.subscribe", { stream: b.stream });
  expect(refusal.data.code).toBe("too_many_subscriptions");
  await third.call("events.unsubscribe", { stream: a.stream });
  await third.call("events.subscribe", { stream: b.stream });
});

test("[G38] pings a silent client, and cuts it off without an answer", async () => {
  const clock = createFakeClock();
  const { url } = await setup({ clock });
  const [there, gone] = [await signIn(url), await signIn(url)];
  gone.ws.pause();
  for (let second = 0; second < 120; second++) {
    await clock.advance(1_000);
    await new Promise((resolve) => void setImmediate(resolve));
    await new Promise((resolve) => void setImmediate(resolve));
  }
  gone.ws.resume();
  expect(await gone.closed).toMatchObject({ code: 1006 });
  expect(await there.call("health.check")).toMatchObject({ status: "ok" });
});

test("[G1] [G17] refuses sockets on other paths and protocols; closing says goodbye", async () => {
  const { url, refused, gateway, raw } = await setup();
  expect((await refused({}, "/")).status).toBe(404);
  expect((await refused({}, "/ws/")).status).toBe(404);
  expect((await raw({ path: "/health", headers: { connection: "Upgrade", upgrade: "h2c" } })).status).toBe(
    200,
  );
  const client = await signIn(url);
  const closing = gateway.close();
  expect(await client.closed).toMatchObject({ code: 1001 });
  await closing;
});

test("[G18] [G22] records in the audit who signs in by a socket, and who fails", async () => {
  const { url, log } = await setup();
  const client = connect(url, { "user-agent": "guesser" });
  await once(client.ws, "open");
  client.send({ type: "auth", token: "wrong" });
  await client.closed;
  await signIn(url, TOKEN, { "user-agent": "mine" });
  await vi.waitFor(async () => {
    const audit = (await Array.fromAsync(log.read("system"))).map(({ type, data }) => ({ type, data }));
    expect(audit).toMatchObject([
      { type: "auth.rejected", data: { route: "GET /ws", client: "guesser", reason: "wrong_token" } },
      { type: "auth.accepted", data: { route: "GET /ws", client: "mine", who: "owner" } },
    ]);
    expect(JSON.stringify(audit)).not.toContain(TOKEN);
  });
});
