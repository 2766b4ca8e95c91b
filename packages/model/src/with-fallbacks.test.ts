import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { ModelError, type ModelErrorCode, modelErrorCodes } from "./model-error.ts";
import { parseModelRef } from "./model-ref.ts";
import type { Model, ModelEvent } from "./model.ts";
import { withFallbacks } from "./with-fallbacks.ts";

/** Answers with its name, or fails for as long as it is told to. */
function setup() {
  const clock = createFakeClock();
  const faults = new Map<string, ModelError>();
  const asked: string[] = [];
  const create = (name: string): Model => ({
    ref: parseModelRef(`local/${name}`),
    async *stream(): AsyncGenerator<ModelEvent> {
      asked.push(name);
      const fault = faults.get(name);
      if (fault?.output === "some") yield { kind: "text", text: "Half" };
      if (fault !== undefined) throw fault;
      yield { kind: "text", text: name };
      yield { kind: "stop", reason: "end" };
    },
  });
  const model = withFallbacks(create("a"), [create("b"), create("c")], { clock });
  const ask = async () => {
    const request = { system: "", messages: [], tools: [], maxOutputTokens: 1 };
    const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
    const by = events.find((event) => event.kind === "answered_by");
    return { text: events.flatMap((event) => (event.kind === "text" ? event.text : [])).join(""), by };
  };
  const fail = (name: string, code: ModelErrorCode, output: "none" | "some" = "none") =>
    void faults.set(name, new ModelError(code, `${name} fails`, { output }));
  return { ask, fail, asked, clock, mend: (name: string) => faults.delete(name) };
}

const FALLING = new Set<string>(
  "missing_key wrong_key no_credit unknown_model rate_limited overloaded connection_failed stream_cut timeout garbage empty_answer".split(
    " ",
  ),
);

test.each(modelErrorCodes)("[W38] %s: the next model answers only where it may well", async (code) => {
  const { ask, fail, asked } = setup();
  fail("a", code);
  if (!FALLING.has(code)) {
    await expect(ask()).rejects.toMatchObject({ code });
    expect(asked).toEqual(["a"]);
    return;
  }
  expect(await ask()).toEqual({
    text: "b",
    by: { kind: "answered_by", fallback: { model: "local/b", instead: "local/a", code } },
  });
});

test("[W38] the model that was asked says so by saying nothing", async () => {
  const { ask } = setup();
  expect(await ask()).toEqual({ text: "a", by: undefined });
});

test("[W38] no other model is asked once a part of an answer was passed on", async () => {
  const { ask, fail, asked } = setup();
  fail("a", "stream_cut", "some");
  await expect(ask()).rejects.toMatchObject({ code: "stream_cut" });
  expect(asked).toEqual(["a"]);
});

test("[W38] if all fail, the error is that of the first", async () => {
  const { ask, fail, asked } = setup();
  fail("a", "overloaded");
  fail("b", "rate_limited");
  fail("c", "timeout");
  await expect(ask()).rejects.toMatchObject({ code: "overloaded" });
  expect(asked).toEqual(["a", "b", "c"]);
});

test("[W39] a model that failed is asked last for five minutes, and then first again", async () => {
  const { ask, fail, mend, asked, clock } = setup();
  fail("a", "overloaded");
  await ask();
  expect((await ask()).text).toBe("b");
  expect(asked).toEqual(["a", "b", "b"]);
  fail("b", "timeout");
  fail("c", "timeout");
  mend("a");
  expect((await ask()).text).toBe("a");
  expect((await ask()).by).toBe(undefined);
  fail("a", "overloaded");
  mend("b");
  mend("c");
  await clock.advance(5 * 60_000);
  expect((await ask()).text).toBe("b");
  mend("a");
  await clock.advance(5 * 60_000);
  expect(await ask()).toEqual({ text: "a", by: undefined });
});
