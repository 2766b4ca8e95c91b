import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";

async function setup(overrides: Parameters<typeof startTestGateway>[0] = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const get = async (path: string) => {
    const answer = await gateway.fetch(path);
    return { status: answer.status, body: (await answer.json()) as object };
  };
  return { get };
}

test("[G1] finds for an agent, at most as many as asked for", async () => {
  const { get } = await setup();
  expect(await get("/api/memory/search?query=key&agent=helper")).toMatchObject({
    status: 200,
    body: { hits: [{ path: "helper/memory/keys.md", text: "The key is under the mat" }], by: "words" },
  });
  expect(await get("/api/memory/status")).toMatchObject({ status: 200, body: { chunks: 1, model: null } });
});

test.each(["", "?query=", "?query=x&limit=0", "?query=x&limit=many", "?query=x&other=1"])(
  "[G1] a wrong request is refused: %s",
  async (query) => {
    const { get } = await setup();
    expect((await get(`/api/memory/search${query}`)).status).toBe(400);
  },
);

test("[G1] says so where there is no memory", async () => {
  const { get } = await setup({ memory: undefined });
  expect(await get("/api/memory/search?query=x")).toMatchObject({ body: { code: "not_available" } });
});
