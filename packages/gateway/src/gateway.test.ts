import { connect } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayDeps } from "./gateway.ts";
import { collect, readEventStream } from "./test/read-event-stream.ts";
import { startTestGateway } from "./test/gateway.fixture.ts";

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return gateway;
}

test("[G16] reports a port in use and what to do", async () => {
  const { port } = await setup();
  await expect(setup({ port })).rejects.toMatchObject({ code: "port_in_use", hint: expect.anything() });
});

test("[G16] cannot listen on an address of another machine", async () => {
  await expect(setup({ host: "192.0.2.1", allowRemote: true })).rejects.toMatchObject({
    code: "cannot_listen",
  });
});

test("[G16] an aborted start rejects with its reason", async () => {
  const { gateway } = await setup();
  const reason = new Error("stop");
  await expect(gateway.listen(AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("[G16] localhost means one loopback address", async () => {
  const { url } = await setup({ host: "localhost" });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("[G17] closing ends event streams and idle connections, and is idempotent", async () => {
  const { gateway, fetch, createTask, url } = await setup();
  const task = await createTask();
  const received = collect(readEventStream(await fetch(`/api/tasks/${task.id}/events`)));
  await Promise.all([gateway.close(), gateway.close()]);
  expect((await received).map(({ event }) => event.type)).toEqual(["status"]);
  await expect(globalThis.fetch(`${url}/health`)).rejects.toThrow();
});

test("[G17] closing cuts nothing off once its streams have ended by themselves", async () => {
  const { gateway, fetch, tasks } = await setup();
  await gateway.idle(new AbortController().signal);
  const release = Promise.withResolvers<void>();
  const { task, done } = await tasks.start({ prompt: "x" }, async () => {
    await release.promise;
    return { kind: "completed" };
  });
  const received = collect(readEventStream(await fetch(`/api/tasks/${task.id}/events`)));
  const impatient = new AbortController();
  const waiting = [gateway.idle(impatient.signal), gateway.idle(new AbortController().signal)];
  impatient.abort();
  await waiting[0];
  expect(await Promise.race([waiting[1], fetch("/health").then(() => "open")])).toBe("open");
  release.resolve();
  await done;
  await waiting[1];
  await gateway.close();
  expect((await received).at(-1)?.event).toEqual({ type: "completed" });
});

test("[G17] answers a running request before the gateway is closed", async () => {
  const { gateway, fetch, tasks } = await setup();
  const release = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  tasks.list = async () => {
    entered.resolve();
    await release.promise;
    return [];
  };
  const answer = fetch("/api/tasks");
  await entered.promise;
  const closing = gateway.close();
  release.resolve();
  expect((await answer).status).toBe(200);
  await closing;
});

test.each(["a connection that is kept", "a new connection"])(
  "[G17] answers a request that has arrived on %s and was not read yet",
  async (which) => {
    const { gateway, port } = await setup();
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const answers = text(socket);
    const request = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    if (which === "a connection that is kept") {
      socket.write(request);
      await once(socket, "data");
    }
    socket.write(request);
    await gateway.close();
    expect(await answers).toMatch(/HTTP\/1\.1 503 .*"code":"shutting_down"/s);
  },
);

test("[G17] cuts off what lasts longer than the deadline", async () => {
  const { gateway, fetch, tasks } = await setup({ limits: { closeMs: 20 } });
  const entered = Promise.withResolvers<void>();
  tasks.list = () => {
    entered.resolve();
    return new Promise(() => undefined);
  };
  const answer = fetch("/api/tasks");
  await entered.promise;
  await Promise.all([gateway.close(), expect(answer).rejects.toThrow()]);
});

test("[G17] a connection that sends nothing does not delay closing", async () => {
  const { gateway, port } = await setup();
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const gone = once(socket, "close");
  socket.resume();
  await gateway.close();
  await gone;
});
