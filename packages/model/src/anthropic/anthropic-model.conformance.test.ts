import { createFakeAnthropic, describeWire } from "@deputy/testing";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createAnthropicModel } from "./anthropic-model.ts";

const start = '{"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}';
const call = '{"type":"tool_use","id":"toolu_x","name":"run_code","input":{}}';

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
  providerName: "Anthropic",
  nonsense: [
    'event: message_delta\ndata: {"type":"message_del\n\n',
    "event: message_delta\ndata: 17\n\n",
    'event: message_delta\ndata: {"kind":"?"}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"x"}}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use"}}\n\n',
    [
      `event: message_start\ndata: ${start}\n\n`,
      `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":${call}}\n\n`,
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"a"}}\n\n',
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ].join(""),
  ],
});
