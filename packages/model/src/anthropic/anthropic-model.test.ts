import { createSystemClock } from "@deputy/kit";
import {
  createFakeAnthropic,
  FAKE_KEY,
  type FakeModelServer,
  openFakeModelServer,
  say,
} from "@deputy/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AssistantPart, ModelEvent, ModelMessage, ModelUsage } from "../model.ts";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createAnthropicModel } from "./anthropic-model.ts";
import { toAnthropicRequest } from "./anthropic-request.ts";

let fake: FakeModelServer;
beforeAll(async () => {
  fake = await openFakeModelServer(createFakeAnthropic());
});
afterAll(() => fake[Symbol.asyncDispose]());

const LONG_PROMPT = "You are Deputy. ".repeat(200);
const RUN_CODE = { name: "run_code", description: "Runs a program", inputSchema: { type: "object" } };
const user = (text: string): ModelMessage => ({ role: "user", text });

function createModel(model = "claude-sonnet-5") {
  const deps = { fetch, clock: createSystemClock(), limits: DEFAULT_WIRE_LIMITS };
  return createAnthropicModel(
    deps,
    { provider: "anthropic", model },
    { apiKey: FAKE_KEY, baseUrl: fake.origin },
  );
}

async function ask(messages: readonly ModelMessage[], system = LONG_PROMPT): Promise<ModelEvent[]> {
  const request = { system, messages, tools: [RUN_CODE], maxOutputTokens: 1_000 };
  return await Array.fromAsync(createModel().stream(request, new AbortController().signal));
}

function usageOf(events: readonly ModelEvent[]): ModelUsage {
  const [usage] = events.flatMap((event) => (event.kind === "usage" ? [event.usage] : []));
  return usage ?? { inputTokens: 0, outputTokens: 0 };
}

test("[W15] a request reads from the cache what the one before wrote", async () => {
  const messages = [user("Hello")];
  fake.play(say("Hi."), say("Yes."), say("Bye."));
  const first = usageOf(await ask(messages));
  expect(first.cacheReadTokens).toBe(0);
  expect(first.cacheWriteTokens).toBe(first.inputTokens);

  messages.push({ role: "assistant", parts: [{ kind: "text", text: "Hi." }] }, user("Are you there?"));
  const second = usageOf(await ask(messages));
  expect(second.cacheReadTokens).toBe(first.inputTokens);
  expect(second.inputTokens).toBe(first.inputTokens + (second.cacheWriteTokens ?? 0));

  messages.push({ role: "assistant", parts: [{ kind: "text", text: "Yes." }] }, user("Bye"));
  expect(usageOf(await ask(messages)).cacheReadTokens).toBe(second.inputTokens);
});

test("[W15] another conversation still reads the tools and the system prompt from the cache", async () => {
  fake.play(say("Hi."));
  const usage = usageOf(await ask([user("Something else entirely")]));
  expect(usage.cacheReadTokens).toBeGreaterThan(800);
});

test("[W15] even a long conversation has four breakpoints, at its end", () => {
  const messages = Array.from({ length: 20 }, (_value, n): ModelMessage[] => [
    user(`Question ${n}`),
    { role: "assistant", parts: [{ kind: "text", text: `Answer ${n}` }] },
  ]).flat();
  const request = {
    system: "S",
    messages: [...messages, user("Last")],
    tools: [RUN_CODE],
    maxOutputTokens: 9,
  };
  const { params } = toAnthropicRequest("claude-sonnet-5", request);
  expect(JSON.stringify(params).match(/cache_control/g)).toHaveLength(4);
  expect(JSON.stringify(params.messages.slice(-3)).match(/cache_control/g)).toHaveLength(2);
});

test("[W15] usage counts reasoning separately", async () => {
  fake.play({
    kind: "answer",
    answer: {
      parts: [
        { kind: "reasoning", text: "Hm." },
        { kind: "text", text: "So." },
      ],
    },
  });
  const { reasoningTokens = 0, outputTokens } = usageOf(await ask([user("Think")]));
  expect(reasoningTokens).toBeGreaterThan(0);
  expect(reasoningTokens).toBeLessThan(outputTokens);
});

test("[W16] leaves out thinking, and all that follows it, if the prompt before it has changed", async () => {
  const thinkAndCall = (text: string) =>
    ({
      kind: "answer",
      answer: {
        parts: [
          { kind: "reasoning", text },
          { kind: "tool_call", name: "run_code", input: { code: text } },
        ],
      },
    }) as const;
  fake.play(thinkAndCall("one"), thinkAndCall("two"), say("Fine."), say("Fine."));
  const messages: ModelMessage[] = [user("Go")];
  for (let n = 0; n < 2; n++) {
    const events = await ask(messages);
    const opaque = events.find((event) => event.kind === "reasoning_done")?.opaque ?? "";
    const call = events.find((event) => event.kind === "tool_call");
    if (call === undefined) throw new Error("it did not call");
    const parts: AssistantPart[] = [{ kind: "reasoning", text: "", opaque }, call];
    messages.push({ role: "assistant", parts });
    messages.push({ role: "tool", results: [{ callId: call.id, text: "Result: 1", isError: false }] });
  }
  // The turn is over; only a call in progress must keep its thinking.
  messages.push({ role: "assistant", parts: [{ kind: "text", text: "Done." }] }, user("And now?"));
  const thinking = (): number => (fake.requests.at(-1)?.raw.match(/"type":"thinking"/g) ?? []).length;
  await ask(messages);
  expect(thinking()).toBe(2);
  await ask(messages, `${LONG_PROMPT} There is a new tool.`);
  expect(thinking()).toBe(0);
});

test.each([
  ["claude-sonnet-5", { type: "adaptive", display: "summarized" }],
  ["claude-opus-5-5", { type: "adaptive", display: "summarized" }],
  ["claude-haiku-4-5", undefined],
  ["claude-sonnet-4-5-20250929", undefined],
])("[W14] asks %s for thinking in its own way", (model, thinking) => {
  const request = { system: "", messages: [user("Hi")], tools: [], maxOutputTokens: 9 };
  expect(toAnthropicRequest(model, request).params.thinking).toEqual(thinking);
});

test("[W14] sends the key as a bearer token, the current version, and no sampling parameters", async () => {
  fake.play(say("Fine."));
  await ask([user("Hello")]);
  const { headers, body } = fake.requests.at(-1) ?? { headers: {}, body: {} };
  expect(headers).toMatchObject({ authorization: `Bearer ${FAKE_KEY}`, "anthropic-version": "2026-10-21" });
  expect(Object.keys(body).sort()).toEqual([
    "max_tokens",
    "messages",
    "model",
    "stream",
    "system",
    "thinking",
    "tools",
  ]);
});

test.each([
  ['{\\"co', [{ kind: "tool_call", id: "toolu_x", name: "run_code", inputJson: '{"co' }]],
  ["", []],
])("[W18] [W26] passes on the part “%s” of a call that was cut off", async (json, calls) => {
  const call = '{"type":"tool_use","id":"toolu_x","name":"run_code","input":{}}';
  const event = (type: string, data: string): string => `event: ${type}\ndata: {"type":"${type}"${data}}\n\n`;
  const delta = `{"type":"input_json_delta","partial_json":"${json}"}`;
  fake.play({
    kind: "garbage",
    at: "before_output",
    text: [
      event("content_block_start", `,"index":0,"content_block":${call}`),
      event("content_block_delta", `,"index":0,"delta":${delta}`),
      event("content_block_stop", ',"index":0'),
      event("message_delta", ',"delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":5}'),
      event("message_stop", ""),
    ].join(""),
  });
  const events = await ask([user("Go")]);
  expect(events.filter(({ kind }) => kind === "tool_call")).toEqual(calls);
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "max_tokens" });
});

test("[W18] a refused answer has no calls and no reasoning to continue from", async () => {
  fake.play({
    kind: "answer",
    answer: {
      parts: [
        { kind: "reasoning", text: "Hm." },
        { kind: "tool_call", name: "run_code", input: { code: "" } },
      ],
      stop: "refusal",
    },
  });
  const events = await ask([user("Go")]);
  expect(events.map(({ kind }) => kind).filter((kind) => kind !== "reasoning")).toEqual(["usage", "stop"]);
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "refusal" });
});

test("[W40] a refusal says why, if the provider does", async () => {
  const frame = (data: object) => `event: message\ndata: ${JSON.stringify(data)}\n\n`;
  const why = { type: "refusal", category: "cyber", explanation: "This could enable harm." };
  fake.play({
    kind: "garbage",
    at: "before_output",
    text: [
      frame({
        type: "message_delta",
        delta: { stop_reason: "refusal", stop_sequence: null, stop_details: why },
        usage: { output_tokens: 1 },
      }),
      frame({ type: "message_stop" }),
    ].join(""),
  });
  const events = await ask([user("Go")]);
  expect(events[0]).toEqual({ kind: "text", text: "This could enable harm." });
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "refusal" });
});
