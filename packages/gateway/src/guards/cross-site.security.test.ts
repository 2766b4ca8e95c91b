import { expect, onTestFinished, test, vi } from "vitest";
import { collect } from "../test/read-event-stream.ts";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { traffic } from "../test/traffic.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const changing = gateway.gateway.routes.filter(({ method }) => method !== "GET");
  return { ...gateway, changing };
}

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
])("[GC6] refuses a form post even with the token: %s", async (type) => {
  const { changing, raw, log } = await setup();
  // A form can only send GET and POST.
  for (const { method, path, auth, takes } of changing.filter((route) => route.method === "POST")) {
    const headers = { "content-type": type, cookie: "token=1" };
    const { status, body } = await raw({ method, path, headers, body: '{"prompt":"x"}' });
    // A signed request is judged by its signature first.
    const [refused, code] =
      auth === "own_secret" && takes === "signed" ? [401, "unauthorized"] : [415, "unsupported_media_type"];
    expect([path, status, (JSON.parse(body) as { code: string }).code]).toEqual([path, refused, code]);
  }
  const streams = await collect(log.streams());
  expect(streams.filter(({ stream }) => stream !== "system")).toEqual([]);
});

test("[GC6] refuses a body without a content type", async () => {
  const { raw } = await setup();
  expect((await raw({ method: "POST", body: '{"prompt":"x"}' })).status).toBe(415);
});

test.each([
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "file://" },
  { origin: "http://127.0.0.1" },
  { origin: "http://127.0.0.1:1" },
])("[GC7] refuses changes from other sites: %j", async (headers) => {
  const { changing, raw } = await setup();
  for (const { method, path } of changing) {
    const { status, body } = await raw({ method, path, headers });
    expect([path, status]).toEqual([path, 403]);
    expect(JSON.parse(body)).toMatchObject({ code: "origin_not_allowed" });
  }
});

test("[GC7] nothing from another site reaches the log, and the audit does not name it as the owner", async () => {
  const { changing, raw, log } = await setup();
  for (const { method, path } of changing)
    await raw({
      method,
      path,
      headers: { origin: "https://evil.example", "content-type": "application/json" },
      body: "{}",
    });
  expect(await collect(log.readAll())).toEqual([]);
});

test("[GC7] accepts changes from our own page", async () => {
  const { post, url } = await setup();
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  expect((await post("/api/tasks", { prompt: "x" }, headers)).status).toBe(201);
});

test("[GC8] GET changes nothing in the log after the client's first request", async () => {
  const made = await setup();
  const { gateway, fetch, log } = made;
  const reading = gateway.routes.filter(({ method }) => method === "GET");
  const exchanges = await Promise.all(
    reading.map(async ({ path }) => ({ path, asked: await traffic[`GET ${path}`]?.(made) })),
  );
  await fetch("/api/tasks");
  await vi.waitFor(async () => expect(await log.head("system")).toBeDefined());
  const before = await collect(log.readAll());
  for (const { path, asked = [] } of exchanges) {
    expect([path, asked.length > 0]).toEqual([path, true]);
    for (const exchange of asked) {
      const response = await fetch(exchange.path, { headers: exchange.headers ?? {} });
      expect([path, response.status]).toEqual([path, 200]);
      await response.arrayBuffer();
    }
  }
  expect(await collect(log.readAll())).toEqual(before);
});

test("[GC9] no response lets another site read it; preflights are refused", async () => {
  const { gateway, raw } = await setup();
  for (const { method, path } of gateway.routes) {
    const asked = await raw({ method, path, headers: { origin: "https://evil.example" } });
    const preflight = await raw({
      method: "OPTIONS",
      path,
      headers: {
        origin: "https://evil.example",
        "access-control-request-method": method,
        "access-control-request-headers": "authorization",
        "access-control-request-private-network": "true",
      },
    });
    expect([path, preflight.status]).toEqual([path, 403]);
    const names = [...Object.keys(asked.headers), ...Object.keys(preflight.headers)];
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});

test("[GC11] [GC12] every response has the security headers, even a refusal", async () => {
  const { gateway, raw, createTask, log } = await setup();
  const task = await createTask();
  await log.append(task.stream, [
    { type: "task.completed", data: { taskId: task.id, outcome: "succeeded" } },
  ]);
  const answers = [
    ...gateway.routes.map(({ method, path }) => raw({ method, path: path.replace(":id", task.id) })),
    raw({ path: "/nothing" }),
    raw({ path: "/%zz" }),
    raw({ headers: { host: "evil.example" } }),
    raw({ headers: { authorization: "" } }),
  ];
  for (const { headers } of await Promise.all(answers)) {
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html deputy",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
    });
    expect(headers["cache-control"]).toMatch(/^no-(?:store|cache)$/);
  }
  expect((await raw({})).headers["cache-control"]).toBe("no-store");
});
