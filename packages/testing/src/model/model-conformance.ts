import type { Model, ModelEvent, ModelMessage } from "@deputy/model";
import { describe, expect, test } from "vitest";
import { RUN_CODE } from "./play-conversation.ts";

const conversations: readonly (readonly [what: string, messages: readonly ModelMessage[]])[] = [
  ["a first message", [{ role: "user", text: "Hello" }]],
  ["a program", [{ role: "user", text: "Run it:\n```ts\nreturn 1;\n```" }]],
  [
    "a program's result",
    [
      { role: "user", text: "Run it" },
      {
        role: "assistant",
        parts: [{ kind: "tool_call", id: "c1", name: "run_code", inputJson: '{"code":"return 1;"}' }],
      },
      { role: "tool", results: [{ callId: "c1", text: "Result: 1", isError: false }] },
    ],
  ],
];

const ORDER = ["text", "reasoning_done", "tool_call", "usage", "stop"];

/** What the turn needs from every model behind the port. */
export function describeModel(name: string, create: () => Model): void {
  const ask = (model: Model, messages: readonly ModelMessage[], signal: AbortSignal): Promise<ModelEvent[]> =>
    Array.fromAsync(
      model.stream({ system: "", messages, tools: [RUN_CODE], maxOutputTokens: 1_000 }, signal),
    );
  const live = new AbortController().signal;

  describe(name, () => {
    test.each(conversations)("[M7] the answer to %s ends with one matching stop", async (_what, messages) => {
      const events = await ask(create(), messages, live);
      expect(events.filter(({ kind }) => kind === "stop")).toHaveLength(1);
      const called = events.some(({ kind }) => kind === "tool_call");
      expect(events.at(-1)).toEqual({ kind: "stop", reason: called ? "tool_calls" : "end" });
      expect(called || events.some(({ kind }) => kind === "text")).toBe(true);
    });

    test.each(conversations)(
      "[M8] in the answer to %s, calls are complete and usage is counted",
      async (_what, messages) => {
        const events = await ask(create(), messages, live);
        const calls = events.filter((event) => event.kind === "tool_call");
        for (const call of calls) expect(JSON.parse(call.inputJson)).toBeTypeOf("object");
        expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
        for (const event of events) {
          if (event.kind === "usage") expect(event.usage.inputTokens).toBeGreaterThanOrEqual(0);
        }
        expect(events.filter(({ kind }) => kind === "usage").length).toBeLessThanOrEqual(1);
      },
    );

    test.each(conversations)(
      "[W13] the answer to %s comes in the port's order, and no piece of it is empty",
      async (_what, messages) => {
        const events = await ask(create(), messages, live);
        const order = events.map(({ kind }) => ORDER.indexOf(kind === "reasoning" ? "text" : kind));
        expect(order).toEqual([...order].sort((a, b) => a - b));
        for (const event of events) if (event.kind === "text") expect(event.text).not.toBe("");
      },
    );

    test("[W13] a reader that stops early can ask again", async () => {
      const model = create();
      const [, messages] = conversations[0] ?? ["", []];
      const request = { system: "", messages, tools: [RUN_CODE], maxOutputTokens: 1_000 };
      for await (const event of model.stream(request, live)) {
        expect(event.kind).toBe("text");
        break;
      }
      expect((await ask(model, messages, live)).at(-1)).toEqual({ kind: "stop", reason: "end" });
    });

    test("[M9] an aborted signal rejects with its reason, and the model can be asked again", async () => {
      const model = create();
      const [, messages] = conversations[0] ?? ["", []];
      await expect(ask(model, messages, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
      expect((await ask(model, messages, live)).length).toBeGreaterThan(0);
    });
  });
}
