import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import type { GatewayLimits } from "../gateway-limits.ts";
import { ACCEPT, ERAS, INITIALIZE, setupMcp } from "../test/mcp.fixture.ts";

const [, older] = ERAS;

async function setup(limits: Partial<GatewayLimits> = {}) {
  const clock = createFakeClock();
  const made = await setupMcp({ clock, limits });
  const begin = async () => {
    const response = await made.post("/mcp", INITIALIZE, ACCEPT);
    const body = await response.text();
    return { status: response.status, id: response.headers.get("mcp-session-id") ?? "", body };
  };
  const ping = async (id: string): Promise<number> => {
    const headers = { ...ACCEPT, "mcp-session-id": id };
    const response = await made.post("/mcp", { jsonrpc: "2.0", id: 2, method: "ping" }, headers);
    await response.text();
    return response.status;
  };
  return { ...made, clock, begin, ping };
}

test("[G61] a session begins with initialize, is known by its id, and ends with DELETE", async () => {
  const { begin, ping, fetch, post } = await setup();
  const { id, body } = await begin();
  expect(body).toContain('"protocolVersion":"2025-11-25"');
  expect(await ping(id)).toBe(200);
  expect((await fetch("/mcp", { method: "DELETE", headers: { "mcp-session-id": id } })).status).toBe(200);
  expect(await ping(id)).toBe(404);
  const without = await post("/mcp", { jsonrpc: "2.0", id: 2, method: "ping" }, ACCEPT);
  expect([without.status, await without.json()]).toMatchObject([400, { id: null, error: { code: -32_000 } }]);
});

test("[G61] a failed initialize takes no place", async () => {
  const { begin, ping, post } = await setup({ mcpSessions: 2 });
  const first = (await begin()).id;
  expect((await post("/mcp", { ...INITIALIZE, params: {} }, ACCEPT)).status).toBe(400);
  expect((await post("/mcp", INITIALIZE, { accept: "application/json" })).status).toBe(406);
  const second = (await begin()).id;
  expect([await ping(first), await ping(second)]).toEqual([200, 200]);
});

test("[G61] a session ends after an hour without use", async () => {
  const { begin, ping, clock } = await setup({ mcpSessionMs: 3_600_000 });
  const [used, unused] = [(await begin()).id, (await begin()).id];
  await clock.advance(1_800_000);
  expect(await ping(used)).toBe(200);
  await clock.advance(1_800_000);
  expect([await ping(used), await ping(unused)]).toEqual([200, 404]);
});

test("[G61] beyond the limit, the least recently used session makes room", async () => {
  const { begin, ping } = await setup({ mcpSessions: 2 });
  const [first, second] = [(await begin()).id, (await begin()).id];
  expect(await ping(first)).toBe(200);
  const third = (await begin()).id;
  expect([await ping(first), await ping(second), await ping(third)]).toEqual([200, 404, 200]);
});

test("[G61] but not one whose answer is being read: then a new one is refused", async () => {
  const { begin, connect, task, end, clock, bugs } = await setup({ mcpSessions: 1 });
  const { call } = await connect(older);
  const running = call("run_code", { code: "return 1;" });
  const made = await task();
  await clock.advance(7_200_000);
  const refused = await begin();
  expect(refused.status).toBe(503);
  expect(JSON.parse(refused.body)).toMatchObject({ code: "too_many_connections", jsonrpc: "2.0", id: null });
  await end(made);
  expect((await running).structuredContent).toMatchObject({ status: "succeeded" });
  expect((await begin()).status).toBe(200);
  expect(bugs).toEqual([]);
});
