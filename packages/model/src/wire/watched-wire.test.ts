import { createFakeClock } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import { watchWire } from "./watched-wire.ts";

const limits = { silenceMs: 1_000, answerBytes: 10 };
const live = new AbortController().signal;

function respondWith(...chunks: readonly string[]): typeof fetch {
  return async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
          controller.close();
        },
      }),
    );
}

test("[W8] an endless answer is garbage once it is too long", async () => {
  const deps = { fetch: respondWith("12345678", "9012345"), clock: createFakeClock(), limits };
  await using wire = watchWire(deps, live);
  const response = await wire.fetch("http://a.example/");
  await expect(response.text()).rejects.toThrow();
  expect(wire.failure()).toMatchObject({ code: "garbage", detail: "it does not end" });
});

test("[W11] every received byte restarts the timeout", async () => {
  const clock = createFakeClock();
  const gate = new TransformStream<Uint8Array, Uint8Array>();
  const writer = gate.writable.getWriter();
  const deps = { fetch: async () => new Response(gate.readable), clock, limits };
  await using wire = watchWire(deps, live);
  const reader = (await wire.fetch("http://a.example/")).body?.getReader();
  for (let n = 0; n < 5; n++) {
    await clock.advance(900);
    await Promise.all([writer.write(new Uint8Array([n])), reader?.read()]);
  }
  expect(wire.signal.aborted).toBe(false);
  await clock.advance(1_000);
  expect(wire.failure()).toMatchObject({ code: "timeout" });
});

test("[W10] the wire is aborted with the caller's reason, before or after it is opened, and its timer is gone", async () => {
  const reason = new Error("stop");
  const clock = createFakeClock();
  const deps = { fetch: respondWith(), clock, limits };
  await using before = watchWire(deps, AbortSignal.abort(reason));
  const caller = new AbortController();
  await using after = watchWire(deps, caller.signal);
  expect(after.signal.aborted).toBe(false);
  caller.abort(reason);
  expect([before.signal.reason, after.signal.reason]).toEqual([reason, reason]);
  await vi.waitFor(() => expect(clock.sleepers).toBe(0));
});

const failing = (body: ReadableStream<Uint8Array>): typeof fetch => {
  const headers = { "content-type": "application/json" };
  return async () => new Response(body, { status: 503, headers });
};

test("[W30] reports the beginning of an error with an endless body", async () => {
  const wide = { ...limits, answerBytes: 1e9 };
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("Out of order. ".repeat(100))),
  });
  const deps = { fetch: failing(endless), clock: createFakeClock(), limits: wide };
  await using wire = watchWire(deps, live);
  await expect(wire.fetch("http://a.example/")).rejects.toMatchObject({ code: "overloaded", status: 503 });
  expect(wire.failure()?.detail).toMatch(/^Out of order\. Out/);
});

test("[W30] reports the status and the received part of an error whose body breaks off", async () => {
  const chunks = [new TextEncoder().encode("Loading")];
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new Error("gone"));
      else controller.enqueue(chunk);
    },
  });
  const deps = { fetch: failing(broken), clock: createFakeClock(), limits };
  await using wire = watchWire(deps, live);
  await expect(wire.fetch("http://a.example/")).rejects.toMatchObject({
    code: "overloaded",
    detail: "Loading",
  });
});

test("[W11] an error whose body never arrives is a timeout", async () => {
  const clock = createFakeClock();
  const silent: typeof fetch = async (_input, init) =>
    new Response(
      new ReadableStream({
        start: (controller) =>
          init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted"))),
      }),
      { status: 500 },
    );
  await using wire = watchWire({ fetch: silent, clock, limits }, live);
  const failed = expect(wire.fetch("http://a.example/", { signal: wire.signal })).rejects.toMatchObject({
    code: "timeout",
  });
  // The headers restart it once.
  await clock.advance(1_000);
  await clock.advance(1_000);
  await failed;
});
