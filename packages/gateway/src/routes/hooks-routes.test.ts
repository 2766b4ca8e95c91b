import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return gateway;
}

test.each(["flow", "step", "webhook", "webhook/abc", "anything"])(
  "[G49] the workflow engine cannot be reached from outside: %s",
  async (name) => {
    const { fetch, post } = await setup();
    const path = `/.well-known/workflow/v1/${name}`;
    expect((await post(path, {})).status).toBe(404);
    expect((await fetch(path)).status).toBe(404);
  },
);
