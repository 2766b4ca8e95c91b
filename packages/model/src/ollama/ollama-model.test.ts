import { createSystemClock } from "@deputy/kit";
import { createFakeOllama, openFakeModelServer } from "@deputy/testing";
import { expect, test } from "vitest";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createOllamaModel } from "./ollama-model.ts";

const deps = { fetch, clock: createSystemClock(), limits: DEFAULT_WIRE_LIMITS };
const names = { urlVariable: "U", keyVariable: "K", place: "here" } as const;
const request = {
  system: "",
  messages: [{ role: "user", text: "Go" } as const],
  tools: [],
  maxOutputTokens: 100,
};
const call = { kind: "tool_call", name: "run_code", input: { code: "1" } } as const;

test.each(["one_by_one", "together"] as const)(
  "[W17] three equal calls, %s, are three calls",
  async (calls) => {
    await using fake = await openFakeModelServer(createFakeOllama({ calls }));
    fake.play({ kind: "answer", answer: { parts: [call, call, call] } });
    const provider = { name: "It", model: "m", baseUrl: fake.origin, ...names };
    const model = createOllamaModel(deps, { provider: "local", model: "m" }, provider, { contextTokens: 99 });
    const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
    const ids = events.flatMap((event) => (event.kind === "tool_call" ? [event.id] : []));
    expect(new Set(ids).size).toBe(3);
  },
);

test("[W31] separates reasoning between tags here too", async () => {
  await using fake = await openFakeModelServer(createFakeOllama());
  fake.play({
    kind: "answer",
    answer: { parts: [{ kind: "text", text: "<think>Hm, let me see</think>\nSo." }] },
  });
  const provider = { name: "It", model: "m", baseUrl: fake.origin, ...names };
  const model = createOllamaModel(deps, { provider: "local", model: "m" }, provider, { contextTokens: 99 });
  const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
  const text = events.map((event) => (event.kind === "text" ? event.text : "")).join("");
  const reasoning = events.map((event) => (event.kind === "reasoning" ? event.text : "")).join("");
  expect([reasoning, text]).toEqual(["Hm, let me see", "So."]);
});
