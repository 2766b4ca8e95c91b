import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createResponsesFeed, responsesEventSchema } from "./responses-events.ts";

const head = { runId: "trn_1", createdMs: 1_000, model: "main", previous: null, metadata: {} };
const usage = { inputTokens: 3, outputTokens: 4, modelCalls: 1, reasoningTokens: 2 };

function play(texts: readonly string[], end: "done" | "failed") {
  const feed = createResponsesFeed(head);
  const last =
    end === "done"
      ? ({ kind: "done", usage } as const)
      : ({ kind: "failed", status: "failed", code: "run_failed", message: "No" } as const);
  const parts = texts.map((text) => ({ kind: "text", text }) as const);
  return [...feed.start(), ...parts.flatMap((part) => feed.apply(part)), ...feed.apply(last)];
}

test("[P43] events are numbered, their pieces add up, and the last one has the whole", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), fc.constantFrom("done", "failed"), (texts, end) => {
      const events = play(texts, end);
      for (const event of events) expect(responsesEventSchema.safeParse(event).error).toBeUndefined();
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
      const text = texts.join("");
      const deltas = events.filter(({ type }) => type === "response.output_text.delta");
      expect(deltas.map((event) => ("delta" in event ? event["delta"] : "")).join("")).toBe(text);
      const last = events.at(-1);
      expect(last?.type).toBe(end === "done" ? "response.completed" : "response.failed");
      const status = end === "done" ? "completed" : "incomplete";
      const output = text === "" ? [] : [{ status, content: [{ type: "output_text", text }] }];
      expect(last).toMatchObject({ response: { output } });
      const opened = events.filter(({ type }) => type === "response.output_item.added").length;
      const closed = events.filter(({ type }) => type === "response.output_item.done").length;
      expect([opened, closed]).toEqual(text === "" ? [0, 0] : [1, 1]);
    }),
  );
});

test("[P43] what it took stands on the whole", () => {
  expect(play(["x"], "done").at(-1)).toMatchObject({
    response: {
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        output_tokens_details: { reasoning_tokens: 2 },
      },
    },
  });
});
