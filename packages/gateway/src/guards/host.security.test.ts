import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  /** The bytes of a request as they are, and the status line's code. */
  const bytes = async (request: string): Promise<number> => {
    const socket = connect(gateway.port, "127.0.0.1");
    socket.end(request);
    return Number((await text(socket)).split(" ")[1]);
  };
  return { ...gateway, bytes };
}

test.each(["0.0.0.0", "::", "192.168.1.10", "example.org", ""])(
  "[GC1] an address that others can reach needs an explicit option: %j",
  async (host) => {
    await expect(setup({ host })).rejects.toMatchObject({ code: "not_loopback" });
  },
);

test("[GC1] binds it with the option, and still needs a token", async () => {
  const { port } = await setup({ host: "0.0.0.0", allowRemote: true });
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/api/tasks`)).status).toBe(401);
});

test("[GC2] refuses a rebound name on every route, before checking the token", async () => {
  const { gateway, raw } = await setup();
  for (const { method, path } of gateway.routes) {
    const { status, body } = await raw({ method, path, headers: { host: "evil.example" } });
    expect([path, status]).toEqual([path, 421]);
    expect(JSON.parse(body)).toMatchObject({ code: "host_not_allowed" });
  }
  expect((await raw({ path: "/no/such/route", headers: { host: "evil.example" } })).status).toBe(421);
});

test("[GC3] judges every spelling of the Host header consistently", async () => {
  const { raw, port } = await setup();
  const verdict = async (host: string): Promise<number> => (await raw({ headers: { host } })).status;
  for (const host of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
    expect([host, await verdict(`${host}:${port}`)]).toEqual([host, 200]);
  }
  const refused = [
    "127.0.0.1",
    "localhost",
    `127.0.0.1:${port + 1}`,
    `127.0.0.1.:${port}`,
    `localhost.:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `0.0.0.0:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}, evil.example`,
    `evil.example:${port}`,
  ];
  for (const host of refused) expect([host, await verdict(host)]).toEqual([host, 421]);
});

test("[GC3] refuses two Host headers, none, and an address in the request line", async () => {
  const { bytes, port } = await setup();
  const rest = `Authorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
  const own = `Host: 127.0.0.1:${port}\r\n`;
  expect(await bytes(`GET /api/tasks HTTP/1.1\r\n${own}${rest}`)).toBe(200);
  expect(await bytes(`GET /api/tasks HTTP/1.1\r\n${own}Host: evil.example\r\n${rest}`)).toBe(421);
  expect(await bytes(`GET /api/tasks HTTP/1.1\r\n${own}${own}${rest}`)).toBe(421);
  expect(await bytes(`GET http://evil.example/api/tasks HTTP/1.1\r\n${own}${rest}`)).toBe(421);
  expect(await bytes(`GET /api/tasks HTTP/1.1\r\n${rest}`)).toBe(400);
  expect(await bytes(`GET /api/tasks HTTP/1.0\r\n${rest}`)).toBe(421);
});

test("[GC3] serves another name only if it was configured", async () => {
  const { raw } = await setup({ allowedHosts: ["Deputy.Example"] });
  expect((await raw({ headers: { host: "deputy.example" } })).status).toBe(200);
  expect((await raw({ headers: { host: "deputy.example:80" } })).status).toBe(421);
});
