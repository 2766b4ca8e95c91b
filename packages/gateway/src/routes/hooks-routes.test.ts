import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return gateway;
}

test.each(["/.well-known/workflow/v1/webhook/abc"])(
  "[G49] a webhook that nothing waits for is not there, and nothing of it is kept: %s",
  async (path) => {
    const { url, log } = await setup();
    const headers = { "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", body: '{"action":"opened"}', headers });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "not_found" });
    expect(await Array.fromAsync(log.streams())).toEqual([]);
  },
);

test.each(["flow", "step", "webhook", "webhook/a/b", "anything"])(
  "[G49] nothing else of the workflow engine is reachable from outside: %s",
  async (name) => {
    const { fetch, post } = await setup();
    const path = `/.well-known/workflow/v1/${name}`;
    expect((await post(path, {})).status).toBe(404);
    expect((await fetch(path)).status).toBe(404);
  },
);
