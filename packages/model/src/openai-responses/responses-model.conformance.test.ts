import { createFakeResponses, describeWire } from "@deputy/testing";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createResponsesModel } from "./responses-model.ts";

describeWire("OpenAI's Responses", {
  createFake: createFakeResponses,
  createModel: ({ origin, fetch, clock, apiKey, silenceMs }) =>
    createResponsesModel(
      { fetch, clock, limits: { ...DEFAULT_WIRE_LIMITS, silenceMs } },
      { provider: "openai", model: "gpt-6-sol" },
      { apiKey, baseUrl: `${origin}/v1` },
    ),
  stops: ["max_tokens", "content_filter", "refusal", "pause"],
  sectionBreak: " ",
  wantsReasoning: true,
  wantsKey: true,
  passesArguments: true,
  providerName: "OpenAI",
  nonsense: [
    'event: response.completed\ndata: {"type":"resp\n\n',
    "data: 17\n\n",
    'data: {"kind":"?"}\n\n',
    'data: {"type":"response.output_text.delta","delta":{"text":"x"}}\n\n',
    'data: {"type":"response.output_item.done","item":{"type":"function_call"}}\n\n',
  ],
});
