import { expect, onTestFinished, test } from "vitest";
import { startDemoServer } from "./demo-server.ts";
import { createRoutes } from "./demo-service.ts";

async function setup() {
  const echo = createRoutes("/echo", [
    {
      method: "POST",
      path: "/{word}",
      answer: ({ part, body }) => Response.json({ word: part("word"), body }),
    },
  ]);
  const server = await startDemoServer({
    token: "right",
    services: {
      echo,
      broken: async () => {
        throw new Error("out of order");
      },
    },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const post = async (path: string, token: string, body = "{}") => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(new URL(path, server.origin), { method: "POST", headers, body });
    return [response.status, await response.json()] as const;
  };
  return { server, post };
}

test("listens on loopback, and answers clients with its token", async () => {
  const { server, post } = await setup();
  expect(new URL(server.origin).hostname).toBe("127.0.0.1");
  expect(await post("/echo/a%20b", "right", '{"n":1}')).toEqual([200, { word: "a b", body: { n: 1 } }]);
  for (const token of ["", "wrong", "right2"]) expect((await post("/echo/a", token))[0]).toBe(401);
});

test("refuses what it cannot answer with a message", async () => {
  const { post } = await setup();
  expect(await post("/nothing/a", "right")).toEqual([404, { message: "There is no such service" }]);
  expect(await post("/constructor/a", "right")).toEqual([404, { message: "There is no such service" }]);
  expect(await post("/echo/a/b", "right")).toEqual([404, { message: "There is no POST /echo/a/b" }]);
  expect(await post("/echo/a", "right", "{")).toEqual([400, { message: "The body is not JSON" }]);
  expect(await post("/broken/a", "right")).toEqual([500, { message: "out of order" }]);
});

test("does not answer after it was stopped", async () => {
  const { server, post } = await setup();
  await server[Symbol.asyncDispose]();
  await expect(post("/echo/a", "right")).rejects.toThrow("fetch failed");
});
