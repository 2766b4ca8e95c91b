import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { collect, readBlocks } from "../test/read-event-stream.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { untilAborted } from "../test/told-turns.ts";

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
  const { gateway, raw } = await setup({ limits: { wrongTokens: 1_000 } });
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

test("[GC13] every bearer route refuses a token that was current before, in whatever way it is written", async () => {
  const { gateway, raw, setToken } = await setup({ limits: { wrongTokens: 1_000 } });
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

test("[GC13] only the page and health are open, and only webhooks have secrets of their own", async () => {
  const { gateway } = await setup();
  const having = (rule: string) => gateway.routes.filter(({ auth }) => auth === rule).map(({ path }) => path);
  expect(having("none")).toEqual(["/health", "/"]);
  expect(having("own_secret")).toEqual(["/api/hooks/:token"]);
});

test("[GC13] an empty configured token lets nobody in", async () => {
  const { raw } = await setup({ token: () => "" });
  for (const authorization of ["Bearer ", "Bearer", "", "Bearer x"]) {
    expect((await raw({ headers: { authorization } })).status).toBe(401);
  }
});

test.each(["token", "access_token", "api_key", "Authorization", "auth"])(
  "[GC14] a secret in the address is refused on every route, even beside a right header: %s",
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

test("[GC15] twenty wrong tokens side by side, and the next one is not looked at, right or wrong", async () => {
  const { statuses, withToken } = await setup();
  const wrong = await statuses(50, (i) => `guess-${i}`);
  expect(wrong.filter((status) => status === 401)).toHaveLength(20);
  expect(wrong.filter((status) => status === 429)).toHaveLength(30);
  const right = await withToken(TOKEN);
  expect(right.status).toBe(429);
  expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await right.json()).toMatchObject({ code: "too_many_attempts" });
});

test("[GC15] the block ends with its minute, however often it was run into", async () => {
  const clock = createFakeClock();
  const { statuses, withToken } = await setup({ clock });
  await statuses(20, (i) => `guess-${i}`);
  await clock.advance(59_000);
  expect(await statuses(30, (i) => `more-${i}`)).toEqual(Array(30).fill(429));
  await clock.advance(1_000);
  expect((await withToken(TOKEN)).status).toBe(200);
});

test("[GC15] requests without a token are no guesses, and right ones are not counted", async () => {
  const { fetch, statuses } = await setup();
  for (let i = 0; i < 30; i++) await fetch("/api/tasks", { headers: { authorization: "" } });
  expect(await statuses(30, () => TOKEN)).toEqual(Array(30).fill(200));
});

test("[GC16] a new token counts at once, for requests and for open streams, told or silent", async () => {
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
  // Within a second, and not only with the next heartbeat.
  await clock.advance(1_000);
  expect((await Promise.all(streams.slice(1).map(collect))).join("")).not.toContain("new owner");
});

test("[GC18] neither loopback nor what a proxy claims lends authority", async () => {
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
