import { createFakeChat, describeWire } from "@deputy/testing";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createChatModel } from "./chat-model.ts";

describeWire("Chat Completions", {
  createFake: () => createFakeChat(),
  createModel: ({ origin, fetch, clock, silenceMs }) =>
    createChatModel(
      { fetch, clock, limits: { ...DEFAULT_WIRE_LIMITS, silenceMs } },
      { provider: "local", model: "qwen3" },
      {
        name: "The local server",
        model: "qwen3",
        baseUrl: `${origin}/v1`,
        urlVariable: "DEPUTY_LOCAL_BASE_URL",
        keyVariable: "DEPUTY_LOCAL_API_KEY",
        place: "here",
      },
    ),
  stops: ["max_tokens", "content_filter", "refusal"],
  sectionBreak: "",
  wantsReasoning: false,
  wantsKey: false,
  passesArguments: true,
  providerName: "The local server",
  nonsense: [
    'data: {"choices":[{"del\n\n',
    "data: 17\n\n",
    'data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{}"}}]}}]}\n\ndata: [DONE]\n\n',
  ],
});
