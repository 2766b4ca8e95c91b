import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
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

test("[W8] an answer without an end is garbage once it is too long", async () => {
  const deps = { fetch: respondWith("12345678", "9012345"), clock: createFakeClock(), limits };
  await using wire = watchWire(deps, live);
  const response = await wire.fetch("http://a.example/");
  await expect(response.text()).rejects.toThrow();
  expect(wire.failure()).toMatchObject({ code: "garbage", detail: "it does not end" });
});

test("[W11] every byte that comes puts the timeout off", async () => {
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

test("[W10] an abort that came before is heeded", async () => {
  const reason = new Error("stop");
  await using wire = watchWire(
    { fetch: respondWith(), clock: createFakeClock(), limits },
    AbortSignal.abort(reason),
  );
  expect(wire.signal.reason).toBe(reason);
});
