import { once } from "node:events";
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { collect, readBlocks } from "../test/read-event-stream.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { signIn } from "../test/socket-client.ts";
import { untilAborted } from "../test/told-turns.ts";
import { createPeerUid } from "./peer-uid.ts";

/** A local user other than the one Deputy runs as. */
const STRANGER = 54_321;

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const withToken = (token: string, path = "/api/tasks") =>
    gateway.fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const statuses = async (count: number, token: (index: number) => string) => {
    const responses = await Promise.all(Array.from({ length: count }, (_, i) => withToken(token(i))));
    return responses.map(({ status }) => status);
  };
  return { ...gateway, withToken, statuses };
}

test.each([
  ["no token", undefined],
  ["an empty one", "Bearer "],
  ["a wrong one", "Bearer wrong"],
  ["a prefix of it", `Bearer ${TOKEN.slice(0, -1)}`],
  ["more than it", `Bearer ${TOKEN}x`],
  ["another scheme", `Basic ${TOKEN}`],
  ["the bare token", TOKEN],
  ["two tokens", `Bearer ${TOKEN} ${TOKEN}`],
])("[GC13] every bearer route refuses %s", async (_name, authorization) => {
  const { gateway, raw } = await setup({ limits: { wrongTokens: 1_000 }, peerUid: () => STRANGER });
  const bearer = gateway.routes.filter(({ auth }) => auth === "bearer");
  expect(bearer.length).toBeGreaterThan(20);
  for (const { method, path } of bearer) {
    const { status, headers, body } = await raw({
      method,
      path,
      headers: { authorization: authorization ?? [] },
    });
    expect([path, status, headers["www-authenticate"]]).toEqual([path, 401, 'Bearer realm="deputy"']);
    expect(JSON.parse(body)).toMatchObject({ code: "unauthorized" });
  }
});

test("[GC13] every bearer route refuses an old token in any form", async () => {
  const { gateway, raw, setToken } = await setup({
    limits: { wrongTokens: 1_000 },
    peerUid: () => STRANGER,
  });
  const bearer = gateway.routes.filter(({ auth }) => auth === "bearer");
  setToken("another-token");
  for (const { method, path } of bearer)
    for (const authorization of [
      `Bearer ${TOKEN}`,
      `bearer ${TOKEN}`,
      [`Bearer ${TOKEN}`, "Bearer another-token"],
    ]) {
      const { status } = await raw({ method, path, headers: { authorization } });
      expect([method, path, status]).toEqual([method, path, 401]);
    }
});

test("[GC13] only the page and health need no token, and only webhooks, links and metrics have their own secrets", async () => {
  const { gateway } = await setup();
  const having = (rule: string) => gateway.routes.filter(({ auth }) => auth === rule).map(({ path }) => path);
  expect(having("none")).toEqual(["/health", "/"]);
  expect(having("own_secret")).toEqual(["/api/sign-in", "/api/hooks/:token", "/metrics"]);
});

test("[GC13] an empty configured token lets nobody in", async () => {
  const { raw } = await setup({ token: () => "" });
  for (const authorization of ["Bearer ", "Bearer", "", "Bearer x"]) {
    expect((await raw({ headers: { authorization } })).status).toBe(401);
  }
});

test.each(["token", "access_token", "api_key", "Authorization", "auth"])(
  "[GC14] every route refuses a secret in the address, even beside a valid header: %s",
  async (name) => {
    const { gateway, raw, log } = await setup();
    const places = [...gateway.routes, { method: "GET", path: "/nothing" }];
    for (const { method, path } of places) {
      const { status, body } = await raw({ method, path: `${path}?a=1&${name}=${TOKEN}` });
      expect([path, status]).toEqual([path, 400]);
      expect(JSON.parse(body)).toMatchObject({ code: "token_in_query" });
      expect(body).not.toContain(TOKEN);
    }
    expect(JSON.stringify(await collect(log.readAll()))).not.toContain(TOKEN);
  },
);

test("[GC15] after twenty concurrent wrong tokens, the client's next token is not checked", async () => {
  const { statuses, withToken } = await setup({ peerUid: () => STRANGER });
  const wrong = await statuses(50, (i) => `guess-${i}`);
  expect(wrong.filter((status) => status === 401)).toHaveLength(20);
  expect(wrong.filter((status) => status === 429)).toHaveLength(30);
  const right = await withToken(TOKEN);
  expect(right.status).toBe(429);
  expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await right.json()).toMatchObject({ code: "too_many_attempts" });
});

test("[GC15] the block ends after its minute, even after more attempts", async () => {
  const clock = createFakeClock();
  const { statuses, withToken } = await setup({ clock, peerUid: () => STRANGER });
  await statuses(20, (i) => `guess-${i}`);
  await clock.advance(59_000);
  expect(await statuses(30, (i) => `more-${i}`)).toEqual(Array(30).fill(429));
  await clock.advance(1_000);
  expect((await withToken(TOKEN)).status).toBe(200);
});

test("[GC15] wrong tokens from this machine do not lock out the owner's programs, and guesses stay limited", async () => {
  const { statuses, withToken, url } = await setup();
  const wrong = await statuses(200, (i) => `guess-${i}`);
  expect(wrong.filter((status) => status === 401)).toHaveLength(20);
  expect(wrong.filter((status) => status === 429)).toHaveLength(180);
  expect((await withToken(TOKEN)).status).toBe(200);
  expect(await (await signIn(url)).call("health.check")).toMatchObject({ status: "ok" });
  expect((await withToken("guess-again")).status).toBe(429);
});

test("[GC15] blocks only the guesser, not another local user or a signed-in connection", async () => {
  let uid = STRANGER;
  const { statuses, withToken, port } = await setup({ peerUid: () => uid });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const onOneConnection = async (token: string) => {
    const request = httpRequest({
      agent,
      port,
      path: "/api/tasks",
      headers: { authorization: `Bearer ${token}` },
    });
    const [response] = (await once(request.end(), "response")) as [IncomingMessage];
    await text(response);
    return response.statusCode;
  };
  expect(await onOneConnection(TOKEN)).toBe(200);
  await statuses(25, (i) => `guess-${i}`);
  expect((await withToken(TOKEN)).status).toBe(429);
  expect(await onOneConnection(TOKEN)).toBe(200);
  expect(await onOneConnection("guess")).toBe(429);
  uid = STRANGER + 1;
  expect((await withToken(TOKEN)).status).toBe(200);
  expect((await withToken("guess")).status).toBe(401);
});

test("[GC15] checks one token per second if the program's owner is unknown", async () => {
  const clock = createFakeClock();
  const { statuses, withToken } = await setup({ clock, peerUid: () => undefined });
  await statuses(25, (i) => `guess-${i}`);
  await clock.advance(1_000);
  expect((await withToken(TOKEN)).status).toBe(200);
  expect(await statuses(10, () => TOKEN)).toEqual(Array(10).fill(429));
  await clock.advance(1_000);
  // A wrong token uses up the try, and gets the same answer as one that was not checked.
  expect(await statuses(5, (i) => `more-${i}`)).toEqual(Array(5).fill(429));
  expect((await withToken(TOKEN)).status).toBe(429);
});

test("[GC15] the kernel says whose program is at the other end", () => {
  const header =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
  const row = (local: string, remote: string, uid: number) =>
    `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 1 1 0 20`;
  const four = [
    header,
    row("0100007F:4A21", "0100007F:B26E", 0),
    row("0100007F:B26E", "0100007F:4A21", 1_000),
  ];
  const six = [
    header,
    row("00000000000000000000000001000000:B26F", "00000000000000000000000001000000:4A21", 7),
  ];
  const mapped = row("0000000000000000FFFF00000100007F:B270", "0000000000000000FFFF00000100007F:4A21", 8);
  const remote = row("0A00000A:B271", "0100007F:4A21", 9);
  const peerUid = createPeerUid((file) =>
    (file.endsWith("6") ? [...six, mapped] : [...four, remote]).join("\n"),
  );
  const ask = (remotePort: number) => peerUid({ remotePort, localPort: 0x4a21 });
  expect([0xb26e, 0xb26f, 0xb270, 0xb271, 0xb272].map(ask)).toEqual([1_000, 7, 8, undefined, undefined]);
});

test("[GC15] requests without a token, or with a valid one, do not count as guesses", async () => {
  const { fetch, statuses } = await setup();
  for (let i = 0; i < 30; i++) await fetch("/api/tasks", { headers: { authorization: "" } });
  expect(await statuses(30, () => TOKEN)).toEqual(Array(30).fill(200));
});

test("[GC16] a new token counts at once for requests and for open streams, active or silent", async () => {
  const clock = createFakeClock();
  const { fetch, post, withToken, setToken, createTask, log, model } = await setup({ clock });
  model.speak = async function* (_request, signal) {
    yield "Wait. ";
    await untilAborted(signal);
  };
  const [quiet, busy] = [await createTask(), await createTask()];
  const run = (await (await post("/api/v2/submit", { prompt: "wait for ever" })).json()) as { runId: string };
  const open = async (path: string) => readBlocks(await fetch(path));
  const streams = [
    await open(`/api/tasks/${busy.id}/events`),
    await open(`/api/tasks/${quiet.id}/events`),
    await open(`/api/v2/stream/${run.runId}`),
    readBlocks(await post("/v1/responses", { model: "main", input: "wait for ever", stream: true })),
  ] as const;
  await Promise.all(streams.map((blocks) => blocks.next()));

  setToken("another-token");
  expect((await withToken(TOKEN)).status).toBe(401);
  expect((await withToken("another-token")).status).toBe(200);
  await log.append(busy.stream, [{ type: "error", data: { code: "x", message: "for the new owner only" } }]);
  expect(await collect(streams[0])).toEqual([]);
  // Within a second, not only with the next heartbeat.
  await clock.advance(1_000);
  expect((await Promise.all(streams.slice(1).map(collect))).join("")).not.toContain("new owner");
});

test("[GC18] neither loopback nor a proxy's claims give authority", async () => {
  const { raw } = await setup();
  const claims = {
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-user": "owner",
    "x-real-ip": "127.0.0.1",
    forwarded: "for=127.0.0.1",
    cookie: `token=${TOKEN}`,
  };
  expect((await raw({ headers: { ...claims, authorization: [] } })).status).toBe(401);
});

test("[GC18] a forged address does not escape the limit on wrong tokens", async () => {
  const { raw } = await setup();
  for (let i = 0; i < 20; i++) {
    await raw({ headers: { authorization: "Bearer wrong", "x-forwarded-for": `10.0.0.${i}` } });
  }
  const next = await raw({ headers: { "x-forwarded-for": "10.0.0.99" } });
  expect(next.status).toBe(429);
});

test("[GC22] event streams need the header", async () => {
  const { raw, createTask } = await setup();
  const path = `/api/tasks/${(await createTask()).id}/events`;
  expect((await raw({ path, headers: { authorization: [], cookie: `token=${TOKEN}` } })).status).toBe(401);
});
