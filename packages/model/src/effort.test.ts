import {
  createFakeAnthropic,
  createFakeChat,
  createFakeClock,
  createFakeOllama,
  createFakeResponses,
  FAKE_KEY,
  type FakeWire,
  openFakeModelServer,
  say,
} from "@deputy/testing";
import { expect, test } from "vitest";
import { createModel, type Effort } from "./index.ts";
import { parseModelRef } from "./model-ref.ts";

/** The fields of each request that speak of reasoning, for an effort asked for as often as there are answers. */
async function sent(
  name: string,
  wire: FakeWire,
  effort: Effort | undefined,
  answers = 1,
): Promise<readonly object[]> {
  await using fake = await openFakeModelServer(wire);
  const model = createModel(parseModelRef(name), {
    settings: {
      anthropicApiKey: FAKE_KEY,
      anthropicBaseUrl: fake.origin,
      openaiApiKey: FAKE_KEY,
      openaiBaseUrl: `${fake.origin}/v1`,
      localBaseUrl: fake.origin,
    },
    fetch,
    clock: createFakeClock(),
  });
  const messages = [{ role: "user", text: "Hello" }] as const;
  const request = { system: "", messages, tools: [], maxOutputTokens: 100, effort };
  for (let n = 0; n < answers; n++) {
    fake.play(say("Hello."));
    await Array.fromAsync(model.stream(request, new AbortController().signal));
  }
  const FIELDS = new Set(["thinking", "output_config", "reasoning", "reasoning_effort", "think"]);
  return fake.requests.map(({ body }) =>
    Object.fromEntries(Object.entries(body).filter(([field]) => FIELDS.has(field))),
  );
}

const wires: Readonly<Record<string, () => FakeWire>> = {
  Messages: createFakeAnthropic,
  Responses: createFakeResponses,
  "Chat Completions": createFakeChat,
  Ollama: createFakeOllama,
};

const ADAPTIVE = { thinking: { type: "adaptive", display: "summarized" } };

test.each<[string, string, Effort | undefined, object]>([
  ["anthropic/claude-sonnet-5", "Messages", undefined, ADAPTIVE],
  ["anthropic/claude-sonnet-5", "Messages", "high", { ...ADAPTIVE, output_config: { effort: "high" } }],
  ["anthropic/claude-sonnet-5", "Messages", "minimal", { ...ADAPTIVE, output_config: { effort: "low" } }],
  ["anthropic/claude-sonnet-5", "Messages", "none", { thinking: { type: "disabled" } }],
  ["anthropic/claude-opus-4-5", "Messages", "low", { output_config: { effort: "low" } }],
  ["anthropic/claude-opus-4-5", "Messages", "none", {}],
  ["openai/gpt-6-sol", "Responses", undefined, {}],
  ["openai/gpt-6-sol", "Responses", "xhigh", { reasoning: { effort: "xhigh" } }],
  ["local/qwen3", "Chat Completions", undefined, {}],
  ["local/qwen3", "Chat Completions", "low", { reasoning_effort: "low" }],
  ["local/qwen3", "Ollama", undefined, {}],
  ["local/qwen3", "Ollama", "max", { think: "high" }],
  ["local/qwen3", "Ollama", "none", { think: false }],
])("[W35] %s over %s, effort %s", async (name, wire, effort, fields) => {
  expect(await sent(name, wires[wire]?.() ?? createFakeChat(), effort)).toEqual([fields]);
});

test.each<[string, string, Effort, readonly object[]]>([
  ["anthropic/claude-haiku-4-5", "Messages", "high", [{ output_config: { effort: "high" } }, {}, {}]],
  ["openai/gpt-4.1", "Responses", "high", [{ reasoning: { effort: "high" } }, {}, {}]],
  [
    "openai/gpt-5.1-codex",
    "Responses",
    "minimal",
    [
      { reasoning: { effort: "minimal" } },
      { reasoning: { effort: "none" } },
      { reasoning: { effort: "none" } },
    ],
  ],
  ["local/plain", "Chat Completions", "high", [{ reasoning_effort: "high" }, {}, {}]],
  ["local/plain", "Ollama", "high", [{ think: "high" }, {}, {}]],
])("[W36] %s over %s does not know %s, and is asked as it can be", async (name, wire, effort, fields) => {
  expect(await sent(name, wires[wire]?.() ?? createFakeChat(), effort, 2)).toEqual(fields);
});
