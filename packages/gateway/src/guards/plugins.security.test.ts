import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";

const program = { code: "return 1;", language: "typescript" };
const withPlugin = { ...program, plugins: ["/home/ada/lamp.ts"] };

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const create = (body: unknown, headers: Readonly<Record<string, string>>) =>
    gateway.raw({
      method: "POST",
      headers: { host: `127.0.0.1:${gateway.port}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ program: body }),
    });
  return { ...gateway, create };
}

test("[G21] a local program with the token may name plugins", async () => {
  const { post, programs } = await setup();
  expect((await post("/api/tasks", { program: withPlugin })).status).toBe(201);
  expect(programs).toEqual([withPlugin]);
});

test("[G21] our own page may not name plugins, even with the token; a program without plugins is fine", async () => {
  const { create, port, programs, log } = await setup();
  const page = { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" };
  const refused = await create(withPlugin, page);
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.body)).toMatchObject({
    code: "plugins_not_allowed",
    hint: expect.stringContaining("deputy exec"),
  });
  expect(programs).toEqual([]);
  const sessions = (await Array.fromAsync(log.streams())).filter(({ stream }) => stream !== "system");
  expect(sessions).toEqual([]);
  expect((await create(program, page)).status).toBe(201);
});

test.each(["origin", "sec-fetch-site", "sec-fetch-dest", "cookie"])(
  "[G21] refuses plugins for any sign of a browser: %s",
  async (name) => {
    const { create, port, programs } = await setup();
    const values: Record<string, string> = {
      origin: `http://127.0.0.1:${port}`,
      "sec-fetch-site": "none",
      "sec-fetch-dest": "empty",
      cookie: "session=1",
    };
    const { status, body } = await create(withPlugin, { [name]: values[name] ?? "" });
    expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([403, "plugins_not_allowed"]);
    expect(programs).toEqual([]);
  },
);

test("[G21] a cookie does not sign in, with or without plugins", async () => {
  const { create, programs } = await setup();
  for (const body of [program, withPlugin]) {
    const cookie = `token=${TOKEN}; authorization=Bearer ${TOKEN}`;
    expect((await create(body, { cookie, authorization: "" })).status).toBe(401);
  }
  expect(programs).toEqual([]);
});

test.each(["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"])(
  "[G21] [GC18] a request through a proxy does not count as local: %s",
  async (name) => {
    const { create, programs } = await setup();
    expect((await create(withPlugin, { [name]: "127.0.0.1" })).status).toBe(403);
    expect(programs).toEqual([]);
  },
);

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.skipIf(outside === undefined)("[G21] refuses plugins over the network", async () => {
  const { port, programs } = await setup({ host: "0.0.0.0", allowRemote: true });
  const send = async (address: string): Promise<number> => {
    const headers = { host: `127.0.0.1:${port}`, "content-type": "application/json" };
    const request = httpRequest({
      host: address,
      port,
      method: "POST",
      path: "/api/tasks",
      agent: false,
      headers: { ...headers, authorization: `Bearer ${TOKEN}` },
    });
    request.end(JSON.stringify({ program: withPlugin }));
    const [response] = await once(request, "response");
    response.resume();
    return response.statusCode ?? 0;
  };
  expect(await send("127.0.0.1")).toBe(201);
  expect(await send(outside ?? "")).toBe(403);
  expect(programs).toEqual([withPlugin]);
});
