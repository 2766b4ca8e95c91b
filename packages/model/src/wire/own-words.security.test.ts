import { expect, test } from "vitest";
import { toAnthropicRequest } from "../anthropic/anthropic-request.ts";
import type { ModelRequest } from "../model.ts";
import { toOllamaRequest } from "../ollama/ollama-request.ts";
import { toChatRequest } from "../openai-chat/chat-request.ts";
import { toResponsesRequest } from "../openai-responses/responses-request.ts";

const WIRES = {
  anthropic: (request) => toAnthropicRequest("claude-opus-5-0", request).params,
  ollama: (request) => toOllamaRequest("llama", request, 4_096),
  "openai chat": (request) => toChatRequest("gpt", request),
  "openai responses": (request) => toResponsesRequest("gpt", request),
} satisfies Record<string, (request: ModelRequest) => unknown>;

/** Every text in it has a mark. */
const REQUEST: ModelRequest = {
  system: "«system»",
  messages: [
    { role: "user", text: "«first»" },
    { role: "user", text: "«second»" },
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "«reasoning»" },
        { kind: "text", text: "«answer»" },
        { kind: "tool_call", id: "call_1", name: "«called»", inputJson: '{"«key»":"«value»"}' },
        { kind: "tool_call", id: "call_2", name: "«called»", inputJson: "«no json»" },
      ],
    },
    {
      role: "tool",
      results: [
        { callId: "call_1", text: "«result»", isError: false },
        { callId: "call_2", text: "", isError: true },
      ],
    },
    { role: "user", text: "«last»" },
  ],
  tools: [
    {
      name: "«tool»",
      description: "«says»",
      inputSchema: { type: "object", properties: { "«p»": { enum: ["«e»"] } } },
    },
  ],
  maxOutputTokens: 100,
};

/** Words of the protocols themselves, which nobody chooses. */
const PROTOCOL =
  /^(?:model|claude-opus-5-0|llama|gpt|user|assistant|system|developer|tool|text|input_text|output_text|message|function|function_call|function_call_output|tool_use|tool_result|object|ephemeral|adaptive|summarized|auto|completed|reasoning\.encrypted_content|encrypted|call_[12])$/;

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

test.each(Object.entries(WIRES))("[W34] sends %s only what the request says", (_name, wire) => {
  const sent = textsOf(wire(REQUEST));
  expect(sent).toContain("«last»");
  const added = sent
    .map((text) => text.replaceAll(/«[^«»]*»/g, ""))
    .filter((text) => /\p{L}/u.test(text) && !PROTOCOL.test(text));
  expect(added).toEqual([]);
});
