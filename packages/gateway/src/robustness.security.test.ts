import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { NewEvent } from "@deputy/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { Route } from "./route.ts";
import { startTestGateway, TOKEN } from "./test/gateway.fixture.ts";
import { signIn } from "./test/socket-client.ts";

/** Memory in use after garbage collection. */
function heldMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}

async function setup(limits: Partial<GatewayLimits> = {}) {
  const gateway = await startTestGateway({ limits });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const alive = async () => expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  const postText = (body: string) =>
    gateway.fetch("/api/tasks", { method: "POST", body, headers: { "content-type": "application/json" } });
  /** A client that asks for a task's events and never reads one. */
  const stall = async (id: string) => {
    const socket = connect(gateway.port, "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.pause();
    const host = `127.0.0.1:${gateway.port}`;
    socket.write(
      `GET /api/tasks/${id}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    return socket;
  };
  const fill = (megabytes: number): readonly NewEvent[] =>
    Array.from({ length: megabytes * 10 }, () => ({
      type: "assistant.message",
      data: { itemId: gateway.ids.next("item"), text: "x".repeat(100_000) },
    }));
  return { ...gateway, alive, postText, stall, fill };
}

test("[GC23] a thousand stalled readers cost bounded memory and do not disturb others", async () => {
  const readers = 1_000;
  const { log, createTask, stall, fill, alive } = await setup();
  const task = await createTask();
  await log.append(task.stream, fill(3));
  const beforeMb = heldMb();
  await Promise.all(Array.from({ length: readers }, () => stall(task.id)));
  await alive();
  // A quarter of a megabyte each, where sending everything at once would hold three.
  expect(heldMb() - beforeMb).toBeLessThan(readers / 4);
});

test("[G14] [GC23] cuts off a reader that stalls for long, and frees its place", async () => {
  const { log, createTask, stall, fill, fetch } = await setup({ stallMs: 50, openStreams: 1 });
  const task = await createTask();
  await log.append(task.stream, fill(20));
  const status = async () => {
    const response = await fetch(`/api/tasks/${task.id}/events`);
    await response.body?.cancel();
    return response.status;
  };
  await stall(task.id);
  await vi.waitFor(async () => expect(await status()).toBe(503));
  await vi.waitFor(async () => expect(await status()).toBe(200), 5_000);
});

test("[GC24] refuses a body over a megabyte, even without an announced length", async () => {
  const { postText, raw, alive } = await setup();
  const big = JSON.stringify({ prompt: "x".repeat(1_000_000) });
  const response = await postText(big);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: "body_too_large" });
  const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
  expect((await raw({ method: "POST", headers, body: big })).status).toBe(413);
  await alive();
});

test("[GC24] every JSON route refuses what is too large, poisoned, too deep or not JSON", async () => {
  const { gateway, fetch, alive, log } = await setup();
  const taking = gateway.routes.filter(({ method, takes }) => method === "POST" && takes === undefined);
  expect(taking.length).toBeGreaterThan(5);
  // Messages with pictures are the only larger ones.
  const limitOf = (route: Route): number => ("bodyBytes" in route ? route.bodyBytes : undefined) ?? 1_000_000;
  expect(taking.filter((route) => limitOf(route) > 1_000_000).map(({ path }) => path)).toEqual([
    "/v1/chat/completions",
    "/v1/responses",
  ]);
  const bodies = [
    ['{"prompt":"x","__proto__":{"admin":true}}', 400],
    ['{"prompt":"x","constructor":{"prototype":{}}}', 400],
    ["{", 400],
  ] as const;
  for (const route of taking) {
    const { path, doc } = route;
    const large = [`{"prompt":"${"x".repeat(limitOf(route))}"}`, 413] as const;
    for (const [body, wanted] of [large, ...bodies]) {
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(path, { method: "POST", body, headers });
      expect([path, body.slice(0, 40), status]).toEqual([path, body.slice(0, 40), wanted]);
    }
    if (doc.body === undefined) continue;
    const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    const headers = { "content-type": "application/json" };
    expect([path, (await fetch(path, { method: "POST", body: deep, headers })).status]).toEqual([path, 400]);
  }
  await alive();
  const streams = (await Array.fromAsync(log.streams())).filter(({ stream }) => stream !== "system");
  expect(streams).toEqual([]);
});

test.each([
  ["not JSON", "{", "invalid_json"],
  ["text after it", '{"prompt":"x"} x', "invalid_json"],
  ["a poisoned prototype", '{"prompt":"x","__proto__":{"admin":true}}', "invalid_json"],
  ["a prototype in escapes", '{"prompt":"x","\\u005f_proto__":{"admin":true}}', "invalid_json"],
  ["a prototype deep inside", `{"prompt":[${"1,".repeat(200_000)}{"__proto__":1}]}`, "invalid_json"],
  ["a poisoned constructor", '{"prompt":"x","constructor":{"prototype":{}}}', "invalid_json"],
  ["ten thousand levels", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, "invalid_request"],
  ["ten thousand objects deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, "invalid_request"],
])("[GC24] refuses a strange body: %s", async (_name, body, code) => {
  const { postText, alive } = await setup();
  const response = await postText(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code });
  await alive();
});

test("[GC24] the last of two equal keys counts, everywhere", async () => {
  const { postText, url, log } = await setup();
  const response = await postText('{"prompt":"first","prompt":"second"}');
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ prompt: "second" });
  const client = await signIn(url);
  client.send('{"id":1,"method":"no.such","method":"tasks.list"}');
  expect(await client.until(({ id }) => id === 1)).toMatchObject({
    result: { tasks: [{ prompt: "second" }] },
  });
  expect(JSON.stringify(await Array.fromAsync(log.readAll()))).not.toContain("first");
});

test("[GC26] no route ever decompresses a body, whatever its headers say", async () => {
  const { gateway, fetch, alive } = await setup();
  // Ten megabytes of spaces around a request, in ten kilobytes.
  const bomb = gzipSync(`{"prompt":"x"${" ".repeat(10_000_000)}}`);
  const beforeMb = heldMb();
  for (const { method, path, takes } of gateway.routes) {
    if (method !== "POST") continue;
    const type = takes === "bytes" ? "application/octet-stream" : "application/json";
    const headers = { "content-type": type, "content-encoding": "gzip" };
    const { status } = await fetch(path, { method, body: bomb, headers });
    const kept = takes === "bytes" ? [201] : [400, 401];
    expect([path, kept.includes(status)]).toEqual([path, true]);
  }
  expect(heldMb() - beforeMb).toBeLessThan(5);
  await alive();
});

test("[GC26] refuses what is no picture, is elsewhere or is too large, and keeps nothing of the request", async () => {
  const { fetch, log, model } = await setup();
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const inline = (bytes: string) => `data:image/png;base64,${bytes}`;
  const refused = [
    [400, inline(Buffer.alloc(600_000).toString("base64"))],
    [400, "http://169.254.169.254/latest/meta-data"],
    [400, "file:///etc/passwd"],
    [400, `data:text/html;base64,${png}`],
    [400, "blob:x"],
    [413, inline(Buffer.alloc(5_000_000).toString("base64"))],
  ] as const;
  const headers = { "content-type": "application/json" };
  for (const [status, url] of refused) {
    const good = { type: "image_url", image_url: { url: inline(png) } };
    const requests = [
      [
        "/v1/chat/completions",
        { messages: [{ role: "user", content: [good, { type: "image_url", image_url: { url } }] }] },
      ],
      [
        "/v1/responses",
        { input: [{ role: "user", content: [good, { type: "input_image", image_url: url }] }] },
      ],
    ] as const;
    for (const [path, part] of requests) {
      const body = JSON.stringify({ model: "main", ...part });
      const answer = await fetch(path, { method: "POST", body, headers });
      expect([url.slice(0, 40), answer.status]).toEqual([url.slice(0, 40), status]);
    }
  }
  expect(model.asked).toEqual([]);
  expect((await Array.fromAsync(log.streams())).filter(({ stream }) => stream !== "system")).toEqual([]);
});

test("[GC24] cuts off endless headers and requests that trickle in", async () => {
  const { port, alive } = await setup({ requestMs: 100 });
  const send = async (start: string): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(start);
    return text(socket).catch(() => "cut off");
  };
  const flood = await send(`GET /health HTTP/1.1\r\nX: ${"y".repeat(100_000)}`);
  expect(flood).toMatch(/^HTTP\/1\.1 431 |^cut off/);
  expect(await send("GET /health HTTP/1.1\r\nHost: 127")).toMatch(/^HTTP\/1\.1 408 /);
  expect(await send("POST /api/tasks HTTP/1.1\r\nContent-Length: 10\r\n\r\n{")).toMatch(/^HTTP\/1\.1 4/);
  await alive();
});

test("[G7] [GC24] answers what is not HTTP with a problem and closes the connection", async () => {
  const { port, alive } = await setup();
  const socket = connect(port, "127.0.0.1");
  socket.write("\u0016\u0003\u0001 hello\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("application/problem+json");
  await alive();
});

test.each([
  "/../package.json",
  "/%2e%2e/package.json",
  "/..%2fpackage.json",
  "/..\\package.json",
  "/%5c..%5cpackage.json",
  "/index.html%00",
  "//etc/passwd",
  "/./",
  "/index.html/",
])("[GC27] no spelling of a path reaches another file: %s", async (path) => {
  const { raw, alive } = await setup();
  expect((await raw({ path })).status).toBe(404);
  await alive();
});
