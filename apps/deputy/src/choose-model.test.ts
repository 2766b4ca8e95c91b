import {
  createFakeAnthropic,
  createFakeChat,
  createFakeResponses,
  FAKE_KEY,
  openFakeModelServer,
  say,
} from "@deputy/testing";
import { expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";

test.each([
  [{}, {}, "rehearsal/tour"],
  [{ model: "local/qwen3" }, {}, "local/qwen3"],
  [{ model: "local/qwen3" }, { DEPUTY_MODEL: "openai/gpt-6" }, "openai/gpt-6"],
  [{ model: "local/qwen3" }, { DEPUTY_MODEL: "" }, "local/qwen3"],
])("[W20] config %j and environment %j give %s", (config, env, name) => {
  const { provider, model } = chooseModel(config, env).ref;
  expect(`${provider}/${model}`).toBe(name);
});

const request = {
  system: "",
  messages: [{ role: "user", text: "Hi" } as const],
  tools: [],
  maxOutputTokens: 100,
};

test.each([
  ["anthropic/claude-sonnet-5", createFakeAnthropic, "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", ""],
  ["openai/gpt-6", createFakeResponses, "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1"],
  ["local/qwen3", createFakeChat, "UNUSED_KEY", "DEPUTY_LOCAL_BASE_URL", ""],
  ["local/qwen3", () => createFakeChat({}, FAKE_KEY), "DEPUTY_LOCAL_API_KEY", "DEPUTY_LOCAL_BASE_URL", ""],
])("[W20] asks %s where the environment says, with its key", async (name, createFake, key, url, path) => {
  await using fake = await openFakeModelServer(createFake());
  fake.play(say("Hello."));
  const env = { DEPUTY_MODEL: name, [key]: FAKE_KEY, [url]: fake.origin + path };
  const events = await Array.fromAsync(chooseModel({}, env).stream(request, new AbortController().signal));
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "end" });
  expect(fake.requests).toHaveLength(1);
});

test("[W20] reports a meaningless name at once", () => {
  expect(() => chooseModel({}, { DEPUTY_MODEL: "gpt" })).toThrow("“gpt” does not name a model");
});
