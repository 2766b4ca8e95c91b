import type { Model, ModelEvent, ModelMessage } from "@deputy/model";
import { expect, test } from "vitest";
import type { FakeModelServer } from "./fake/fake-model-server.ts";
import { say, type ScriptedAnswer } from "./fake/scripted-answer.ts";
import { askWith, summarise, toParts } from "./play-conversation.ts";
import { failOf } from "./wire-failures.ts";
import type { WireHarness } from "./wire-harness.ts";

const go: ModelMessage = { role: "user", text: "Go" };
const call = (more: { readonly json?: string; readonly id?: string } = {}) =>
  ({ kind: "tool_call", name: "run_code", input: { code: "1" }, ...more }) as const;

/** What models and servers do that is neither a failure of the wire nor what was asked for. */
export function describeWireMishaps(
  harness: WireHarness,
  use: () => { readonly fake: FakeModelServer; readonly create: () => Model },
): void {
  const play = async (
    answer: ScriptedAnswer,
    messages: readonly ModelMessage[] = [go],
  ): Promise<ModelEvent[]> => {
    const { fake, create } = use();
    fake.play({ kind: "answer", answer });
    return await Array.fromAsync(askWith(create(), messages));
  };
  /** Whether the provider accepts the conversation after such an answer. */
  const goOn = async (events: readonly ModelEvent[], parts = toParts(events)): Promise<void> => {
    const { fake, create } = use();
    const results = callsIn(events).map(({ id }) => ({ callId: id, text: "Result: 1", isError: false }));
    const messages = [go, { role: "assistant", parts } as const, { role: "tool", results } as const];
    fake.play(say("Fine."));
    expect((await Array.fromAsync(askWith(create(), messages))).at(-1)).toEqual({
      kind: "stop",
      reason: "end",
    });
  };

  test("[W27] gives calls with the same id their own ids, which the provider accepts back", async () => {
    const events = await play({
      parts: [
        { kind: "reasoning", text: "Hm." },
        call({ id: "call_1" }),
        call({ id: "call_1" }),
        call({ id: "call_2" }),
      ],
    });
    const ids = callsIn(events).map(({ id }) => id);
    expect(ids[0]).toBe("call_1");
    expect(new Set(ids).size).toBe(3);
    await goOn(events);
  });

  test("[W28] an empty answer is a failure, with or without reasoning", async () => {
    const { fake, create } = use();
    fake.play({ kind: "answer", answer: { parts: [] } });
    const empty = await failOf(create());
    expect(empty).toMatchObject({ error: { code: "empty_answer", output: "none" }, seen: [] });
    fake.play({ kind: "answer", answer: { parts: [{ kind: "reasoning", text: "Hm." }] } });
    const thoughtful = await failOf(create());
    expect(thoughtful.error).toMatchObject({ code: "empty_answer", output: "some" });
    expect(thoughtful.error.message).toContain("It had only reasoned, and nothing ran.");
  });

  test("[W28] after a call's results a model may have nothing to add", async () => {
    const answer: ModelMessage = {
      role: "assistant",
      parts: [{ kind: "tool_call", id: "a", name: "run_code", inputJson: '{"code":"1"}' }],
    };
    const results = [{ callId: "a", text: "Result: 1", isError: false }];
    const events = await play({ parts: [] }, [go, answer, { role: "tool", results }]);
    expect(summarise(events)).toEqual({ text: "", reasoning: "", calls: [], stop: ["end"] });
  });

  if (harness.stops.includes("pause")) {
    test("[W28] an empty pause is a failure, since the same request would be repeated", async () => {
      const { fake, create } = use();
      fake.play({ kind: "answer", answer: { parts: [], stop: "pause" } });
      expect((await failOf(create())).error).toMatchObject({ code: "empty_answer", output: "none" });
    });
  }

  if (harness.passesArguments) {
    const texts = [[], [{ kind: "text", text: "I try. " }]] as const;
    const broken = ['{"code": nope', '{"code":"ret', "nope", "[1]", "null"];
    test.each(texts.flatMap((text) => broken.map((json) => ({ text, json }))))(
      "[W26] passes on the arguments $json unchanged",
      async ({ text, json }) => {
        const events = await play({ parts: [...text, call({ json }), call()] });
        expect(callsIn(events).map(({ inputJson }) => inputJson)).toEqual([json, '{"code":"1"}']);
        expect(events.at(-1)).toEqual({ kind: "stop", reason: "tool_calls" });
        await goOn(events);
      },
    );

    test("[W26] passes on the received part of a call in a cut-off answer", async () => {
      const events = await play({ parts: [call(), call({ json: '{"code":"ret' })], stop: "max_tokens" });
      expect(callsIn(events).map(({ inputJson }) => inputJson)).toEqual(['{"code":"1"}', '{"code":"ret']);
      expect(events.at(-1)).toEqual({ kind: "stop", reason: "max_tokens" });
      await goOn(events);
    });
  }

  if (harness.createFake().faults.output_limit === undefined) return;
  const limit = { kind: "status", fault: "output_limit" } as const;

  test("[W29] repeats a request for more than the model can write with its limit", async () => {
    const { fake, create } = use();
    const before = fake.requests.length;
    fake.play(limit, say("Fine."));
    expect(summarise(await Array.fromAsync(askWith(create(), [go]))).text).toBe("Fine.");
    const limits = fake.requests.slice(before).map(({ raw }) => /"max_\w*tokens":(\d+)/.exec(raw)?.[1]);
    expect(limits).toEqual(["1000", "640"]);
  });

  test("[W29] does not keep asking a server that still refuses", async () => {
    const { fake, create } = use();
    fake.play(limit, limit);
    const { error } = await failOf(create());
    expect(["output_limit", "context_overflow"]).toContain(error.code);
    expect(fake.left).toBe(0);
  });
}

function callsIn(events: readonly ModelEvent[]) {
  return events.filter((event) => event.kind === "tool_call");
}
