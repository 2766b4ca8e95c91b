import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdSource } from "@deputy/kit";
import type { Task } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createDaemonClient } from "./daemon-client.ts";

/** A daemon that has accepted the task, and answers when the test says so. */
async function setup() {
  await using opened = new AsyncDisposableStack();
  const clock = createFakeClock();
  const answer = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const ids = createIdSource({ clock });
  const task: Task = {
    id: ids.next("task"),
    kind: "one-shot",
    status: "running",
    prompt: "hello",
    agentId: "main",
    stream: ids.next("session"),
    createdAt: new Date(clock.now()).toISOString(),
  };
  const server = createServer((_request, response) => {
    asked.resolve();
    void answer.promise.then(() =>
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(task)),
    );
  }).listen(0, "127.0.0.1");
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = createDaemonClient({ url: `http://127.0.0.1:${port}`, token: "t", clock });
  const stop = new AbortController();
  const creating = client.createTask({ prompt: "hello" }, stop.signal);
  creating.catch(() => undefined);
  await asked.promise;
  const owned = opened.move();
  return { clock, task, creating, stop, answer, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test("a stop while the daemon creates the task does not lose its id", async () => {
  await using world = await setup();
  world.stop.abort();
  world.answer.resolve();
  expect(await world.creating).toEqual(world.task);
  await expect.poll(() => world.clock.sleepers).toBe(0);
});

test("after a stop, waits five seconds for a missing answer", async () => {
  await using world = await setup();
  await world.clock.advance(60_000);
  world.stop.abort();
  await world.clock.advance(4_999);
  expect(world.clock.sleepers).toBe(1);
  await world.clock.advance(1);
  await expect(world.creating).rejects.toMatchObject({
    code: "daemon_gone",
    hint: expect.stringContaining("deputy tasks"),
  });
});
