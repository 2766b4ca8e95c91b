import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { ModelError, type ModelErrorCode, modelErrorCodes } from "./model-error.ts";
import type { Model, ModelEvent } from "./model.ts";
import { withRetries } from "./with-retries.ts";

const request = { system: "", messages: [], tools: [], maxOutputTokens: 1 };
const answer: readonly ModelEvent[] = [
  { kind: "text", text: "Hello" },
  { kind: "stop", reason: "end" },
];
const limits = { attempts: 4, baseMs: 1_000, maxMs: 10_000 };

/** Fails with these errors in order, then answers. `after`: fails once it has said something. */
function setup(errors: readonly Error[], when: "before" | "after" = "before") {
  const clock = createFakeClock();
  const askedAtMs: number[] = [];
  const model: Model = {
    ref: { provider: "test", model: "flaky" },
    async *stream(_request, signal) {
      signal.throwIfAborted();
      const error = errors[askedAtMs.length];
      askedAtMs.push(clock.monotonicMs());
      if (error !== undefined && when === "before") throw error;
      yield { kind: "text", text: "Hel" };
      if (error !== undefined) throw error;
      yield* answer.slice(1);
    },
  };
  const retrying = withRetries(model, { clock, random: () => 0.5, limits });
  const stopping = new AbortController();
  const result = Array.fromAsync(retrying.stream(request, stopping.signal));
  const waits = async (): Promise<void> => {
    while (clock.sleepers === 0) await clock.advance(0);
  };
  return { clock, askedAtMs, stopping, result, waits };
}

const failure = (code: ModelErrorCode, retryAfterMs?: number): ModelError =>
  new ModelError(code, code, { retryAfterMs });

test("[W19] waits with full jitter, longer each time", async () => {
  const it = setup([failure("overloaded"), failure("connection_failed"), failure("garbage")]);
  await it.waits();
  await it.clock.advance(60_000);
  expect((await it.result).at(-1)).toEqual({ kind: "stop", reason: "end" });
  expect(it.askedAtMs).toEqual([0, 500, 1_500, 3_500]);
});

test("[W19] waits as long as the provider asks", async () => {
  const it = setup([failure("rate_limited", 7_000), failure("rate_limited", 0)]);
  await it.waits();
  await it.clock.advance(60_000);
  await it.result;
  expect(it.askedAtMs).toEqual([0, 7_000, 7_000]);
});

test("[W19] does not retry if the requested wait is too long", async () => {
  const it = setup([failure("rate_limited", 10_001)]);
  await expect(it.result).rejects.toMatchObject({ code: "rate_limited" });
});

test("[W19] gives up with the last error", async () => {
  const it = setup(Array.from({ length: 9 }, () => failure("stream_cut")));
  const failed = expect(it.result).rejects.toMatchObject({ code: "stream_cut" });
  await it.waits();
  await it.clock.advance(60_000);
  await failed;
  expect(it.askedAtMs).toHaveLength(4);
});

test("[W28] asks at most three times for an answer that is empty", async () => {
  const it = setup([failure("overloaded"), ...Array.from({ length: 9 }, () => failure("empty_answer"))]);
  const failed = expect(it.result).rejects.toMatchObject({ code: "empty_answer" });
  await it.waits();
  await it.clock.advance(60_000);
  await failed;
  expect(it.askedAtMs).toHaveLength(4);

  const again = setup(Array.from({ length: 9 }, () => failure("empty_answer")));
  const failedAgain = expect(again.result).rejects.toMatchObject({ code: "empty_answer" });
  await again.waits();
  await again.clock.advance(60_000);
  await failedAgain;
  expect(again.askedAtMs).toHaveLength(3);
});

test("[W19] never retries once something was passed on", async () => {
  const it = setup([failure("stream_cut")], "after");
  await expect(it.result).rejects.toMatchObject({ code: "stream_cut" });
  expect(it.askedAtMs).toHaveLength(1);
});

const PASSING = new Set([
  "rate_limited",
  "overloaded",
  "connection_failed",
  "stream_cut",
  "timeout",
  "garbage",
  "empty_answer",
]);

test.each(modelErrorCodes.filter((code) => !PASSING.has(code)))("[W19] does not retry %s", async (code) => {
  const it = setup([failure(code)]);
  await expect(it.result).rejects.toMatchObject({ code });
});

test("[W19] does not retry after a bug", async () => {
  await expect(setup([new Error("a bug")]).result).rejects.toThrow("a bug");
});

test("[W19] an abort ends the wait at once", async () => {
  const it = setup([failure("overloaded")]);
  const failed = expect(it.result).rejects.toThrow("stop");
  await it.waits();
  it.stopping.abort(new Error("stop"));
  await failed;
  expect(it.clock.sleepers).toBe(0);
});

test("[W19] stopping to read stops the model", async () => {
  let isClosed = false;
  const model: Model = {
    ref: { provider: "test", model: "long" },
    async *stream() {
      try {
        for (;;) yield { kind: "text", text: "again" };
      } finally {
        isClosed = true;
      }
    },
  };
  const retrying = withRetries(model, { clock: createFakeClock(), limits });
  for await (const _event of retrying.stream(request, new AbortController().signal)) break;
  expect(isClosed).toBe(true);
});
