import { createFakeAnthropic, describeWire } from "@deputy/testing";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createAnthropicModel } from "./anthropic-model.ts";

describeWire("Anthropic's Messages", {
  createFake: createFakeAnthropic,
  createModel: ({ origin, fetch, clock, apiKey, silenceMs }) =>
    createAnthropicModel(
      { fetch, clock, limits: { ...DEFAULT_WIRE_LIMITS, silenceMs } },
      { provider: "anthropic", model: "claude-sonnet-5" },
      { apiKey, baseUrl: origin },
    ),
  stops: ["max_tokens", "context_full", "refusal", "pause"],
  sectionBreak: " ",
  wantsReasoning: true,
  wantsKey: true,
  passesArguments: true,
  providerName: "Anthropic",
  nonsense: [
    'event: message_delta\ndata: {"type":"message_del\n\n',
    "event: message_delta\ndata: 17\n\n",
    'event: message_delta\ndata: {"kind":"?"}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"x"}}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use"}}\n\n',
  ],
});
