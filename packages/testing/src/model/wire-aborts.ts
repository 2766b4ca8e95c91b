import type { Model, ModelEvent } from "@deputy/model";
import { expect, test } from "vitest";
import { createFakeClock } from "../fake-clock.ts";
import { openFakeModelServer } from "./fake/fake-model-server.ts";
import { FAKE_KEY } from "./fake/fake-wire.ts";
import type { ScriptedStep } from "./fake/scripted-answer.ts";
import { askWith } from "./play-conversation.ts";
import { failOf } from "./wire-failures.ts";
import type { WireHarness } from "./wire-harness.ts";

const SILENCE_MS = 30_000;
const stalls: readonly ScriptedStep[] = [
  { kind: "stall", at: "headers" },
  { kind: "stall", at: "before_output" },
  { kind: "stall", at: "after_output" },
];

/** What happens to the connection when the answer is no longer wanted. */
export function describeWireAborts(harness: WireHarness): void {
  const setup = async () => {
    const fake = await openFakeModelServer(harness.createFake());
    const clock = createFakeClock();
    const model = harness.createModel({
      origin: fake.origin,
      fetch,
      clock,
      apiKey: FAKE_KEY,
      silenceMs: SILENCE_MS,
    });
    return { fake, clock, model, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
  };

  test.each(stalls)("[W10] an abort closes the connection and rejects with its reason: $at", async (step) => {
    await using it = await setup();
    it.fake.play(step);
    const stopping = new AbortController();
    const reason = new Error("the user said stop");
    const asked = collectUntil(it.model, stopping.signal, () => stopping.abort(reason));
    await it.fake.nextRequest();
    if (step.kind === "stall" && step.at !== "after_output") stopping.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await it.fake.nextGone();
    expect(it.clock.sleepers).toBe(0);
  });

  test("[W10] with a signal that was aborted before, nothing is asked, and it rejects with the reason", async () => {
    await using it = await setup();
    const reason = new Error("the user said stop");
    const asked = collectUntil(it.model, AbortSignal.abort(reason), () => undefined);
    await expect(asked).rejects.toBe(reason);
    expect(it.fake.requests).toEqual([]);
    expect(it.clock.sleepers).toBe(0);
  });

  test("[W10] stopping to read closes the connection", async () => {
    await using it = await setup();
    it.fake.play({ kind: "stall", at: "after_output" });
    for await (const event of askWith(it.model, [{ role: "user", text: "Hello" }])) {
      expect(event.kind).toBe("text");
      break;
    }
    await it.fake.nextGone();
    expect(it.clock.sleepers).toBe(0);
  });

  test.each(stalls)("[W11] silence ends in a timeout, and the connection is closed: $at", async (step) => {
    await using it = await setup();
    it.fake.play(step);
    const isAfter = step.kind === "stall" && step.at === "after_output";
    const heard = Promise.withResolvers<void>();
    const failed = failOf(it.model, heard.resolve);
    await (isAfter ? heard.promise : it.fake.nextRequest());
    const { error } = await keepAdvancing(it.clock, failed);
    expect(error).toMatchObject({ code: "timeout", output: isAfter ? "some" : "none" });
    expect(error.message).toContain("30 s");
    await it.fake.nextGone();
  });

  test("[W11] an answer that ends leaves no timer behind", async () => {
    await using it = await setup();
    await Array.fromAsync(askWith(it.model, [{ role: "user", text: "Hello" }]));
    expect(it.clock.sleepers).toBe(0);
  });

  test("[W12] an unreachable provider is connection_failed", async () => {
    const it = await setup();
    await it[Symbol.asyncDispose]();
    const { error } = await failOf(it.model);
    expect(error).toMatchObject({ code: "connection_failed", output: "none" });
    expect(error.message).toContain(it.fake.origin);
    expect(error.message.startsWith(harness.providerName)).toBe(true);
  });
}

async function collectUntil(model: Model, signal: AbortSignal, onFirst: () => void): Promise<ModelEvent[]> {
  const seen: ModelEvent[] = [];
  for await (const event of askWith(model, [{ role: "user", text: "Hello" }], { signal })) {
    seen.push(event);
    onFirst();
  }
  return seen;
}

/** Bytes may still be in transit, and each of them delays the end. */
async function keepAdvancing<T>(clock: ReturnType<typeof createFakeClock>, until: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const done = (): void => void (state.isOver = true);
  until.then(done, done);
  while (!state.isOver) await clock.advance(SILENCE_MS);
  return await until;
}
