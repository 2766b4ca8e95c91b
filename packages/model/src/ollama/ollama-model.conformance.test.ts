import { createFakeOllama, describeWire } from "@deputy/testing";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createOllamaModel } from "./ollama-model.ts";

describeWire("Ollama's own chat", {
  createFake: createFakeOllama,
  createModel: ({ origin, fetch, clock, silenceMs }) =>
    createOllamaModel(
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
      { contextTokens: 8_192 },
    ),
  stops: ["max_tokens"],
  sectionBreak: "",
  wantsReasoning: false,
  wantsKey: false,
  passesArguments: false,
  providerName: "The local server",
  nonsense: [
    '{"message":{"con\n{}\n',
    "17\n",
    '{"message":{"tool_calls":[{"function":{"arguments":{}}}]},"done":true}\n',
  ],
});
