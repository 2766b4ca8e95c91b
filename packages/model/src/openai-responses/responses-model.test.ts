import { createSystemClock } from "@deputy/kit";
import {
  createFakeResponses,
  FAKE_KEY,
  type FakeModelServer,
  openFakeModelServer,
  say,
} from "@deputy/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelEvent, ModelMessage } from "../model.ts";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createResponsesModel } from "./responses-model.ts";

let fake: FakeModelServer;
beforeAll(async () => {
  fake = await openFakeModelServer(createFakeResponses());
});
afterAll(() => fake[Symbol.asyncDispose]());

const user = (text: string): ModelMessage => ({ role: "user", text });

async function ask(
  messages: readonly ModelMessage[],
  model = "gpt-6-sol",
  server: FakeModelServer = fake,
): Promise<ModelEvent[]> {
  const deps = { fetch, clock: createSystemClock(), limits: DEFAULT_WIRE_LIMITS };
  const settings = { apiKey: FAKE_KEY, baseUrl: `${server.origin}/v1` };
  const request = { system: "Be brief. ".repeat(50), messages, tools: [], maxOutputTokens: 1 };
  const asked = createResponsesModel(deps, { provider: "openai", model }, settings);
  return await Array.fromAsync(asked.stream(request, new AbortController().signal));
}

const item = (value: object): string =>
  `data: ${JSON.stringify({ type: "response.output_item.done", output_index: 0, item: value })}\n\n`;
const delta = (text: string): string =>
  `data: ${JSON.stringify({ type: "response.output_text.delta", delta: text })}\n\n`;
const end = (response: object): string =>
  `data: ${JSON.stringify({ type: "response.completed", response: { status: "completed", ...response } })}\n\n`;
const playRaw = (...frames: readonly string[]): void =>
  fake.play({ kind: "garbage", at: "before_output", text: frames.join("") });

test("[W14] stores nothing, requests encrypted reasoning, and keeps limits above the minimum", async () => {
  fake.play(say("Fine."));
  await ask([user("Hello")]);
  expect(fake.requests.at(-1)?.body).toMatchObject({
    store: false,
    include: ["reasoning.encrypted_content"],
    max_output_tokens: 16,
    stream: true,
  });
});

test("[W4] does not send another model reasoning that it could not decrypt", async () => {
  fake.play({
    kind: "answer",
    answer: {
      parts: [
        { kind: "reasoning", text: "Hm" },
        { kind: "text", text: "So" },
      ],
    },
  });
  const events = await ask([user("Go")]);
  const opaque = events.find((event) => event.kind === "reasoning_done")?.opaque ?? "";
  const answer: ModelMessage = {
    role: "assistant",
    parts: [
      { kind: "reasoning", text: "Hm", opaque },
      { kind: "text", text: "So" },
    ],
  };
  for (const [model, count] of [["gpt-6-sol", 1] as const, ["gpt-6-luna", 0] as const]) {
    fake.play(say("Fine."));
    await ask([user("Go"), answer, user("Again")], model);
    expect(fake.requests.at(-1)?.raw.split('"type":"reasoning"').length).toBe(count + 1);
  }
});

test("[W4] does not send back reasoning that is not encrypted", async () => {
  playRaw(
    item({ type: "reasoning", id: "rs_1", summary: [] }),
    delta("So"),
    item({ type: "message" }),
    end({}),
  );
  expect((await ask([user("Go")])).map(({ kind }) => kind)).toEqual(["text", "stop"]);
});

test("[W1] two messages of one answer are two paragraphs", async () => {
  playRaw(delta("One."), item({ type: "message" }), delta("Two."), item({ type: "message" }), end({}));
  const events = await ask([user("Go")]);
  expect(events.map((event) => (event.kind === "text" ? event.text : "")).join("")).toBe("One.\n\nTwo.");
});

const cutCall = (json: string) =>
  item({ type: "function_call", call_id: "c", name: "f", arguments: json, status: "incomplete" });

test.each([
  ["max_output_tokens", "max_tokens"],
  ["content_filter", "content_filter"],
  ["steered", "pause"],
])("[W18] [W26] incomplete for %s is %s; passes on the received part of a call", async (reason, stop) => {
  const incomplete = end({ status: "incomplete", incomplete_details: { reason } });
  const isFiltered = stop === "content_filter";
  playRaw(delta("So"), cutCall('{"a'), incomplete);
  const [, ...events] = await ask([user("Go")]);
  const call = { kind: "tool_call", id: "c", name: "f", inputJson: '{"a' };
  expect(events).toEqual([...(isFiltered ? [] : [call]), { kind: "stop", reason: stop }]);
  playRaw(delta("So"), cutCall(""), incomplete);
  expect((await ask([user("Go")])).slice(1)).toEqual([{ kind: "stop", reason: stop }]);
});

test.each(["items_only", "end_only"] as const)(
  "[W32] takes words, reasoning and calls that were not streamed from the whole: %s",
  async (manner) => {
    await using quiet = await openFakeModelServer(createFakeResponses(manner));
    quiet.play({
      kind: "answer",
      answer: {
        parts: [
          { kind: "reasoning", text: "Hm." },
          { kind: "text", text: "One." },
          { kind: "text", text: "Two." },
          { kind: "tool_call", name: "run_code", input: { code: "1" } },
        ],
      },
    });
    const events = await ask([user("Go")], "gpt-6-sol", quiet);
    expect(events.map((event) => ("text" in event ? event.text : event.kind))).toEqual([
      "Hm.",
      "One.",
      "\n\nTwo.",
      "reasoning_done",
      "tool_call",
      "usage",
      "stop",
    ]);
  },
);

const message = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] });
const refusal = { type: "message", content: [{ type: "refusal", refusal: "No." }] };

test.each<[what: string, frames: readonly string[], text: string, stop: string]>([
  ["half of it was streamed", [delta("Wh"), item(message("Whole."))], "Whole.", "end"],
  ["items come twice", [item(message("Whole.")), end({ output: [message("Whole.")] })], "Whole.", "end"],
  [
    "items say where they stand by name",
    [
      item({ id: "a", ...message("One.") }),
      end({ output: [message("Zero."), { id: "a", ...message("One.") }] }),
    ],
    "One.",
    "end",
  ],
  ["a refusal is not streamed", [item(refusal)], "No.", "refusal"],
])("[W32] leaves out nothing and repeats nothing when %s", async (_what, frames, text, stop) => {
  playRaw(...frames, end({}));
  const events = await ask([user("Go")]);
  expect(events.map((event) => (event.kind === "text" ? event.text : "")).join("")).toBe(text);
  expect(events.at(-1)).toEqual({ kind: "stop", reason: stop });
});

test("[W15] usage counts cache reads, cache writes and reasoning", async () => {
  const messages = [user("Hello")];
  fake.play(say("Hi."), {
    kind: "answer",
    answer: {
      parts: [
        { kind: "reasoning", text: "Hm" },
        { kind: "text", text: "So" },
      ],
    },
  });
  await ask(messages);
  messages.push({ role: "assistant", parts: [{ kind: "text", text: "Hi." }] }, user("And?"));
  const usage = (await ask(messages)).find((event) => event.kind === "usage")?.usage;
  expect(usage?.cacheReadTokens).toBeGreaterThan(100);
  expect(usage?.inputTokens).toBe((usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0));
  expect(usage?.reasoningTokens).toBeGreaterThan(0);
});
