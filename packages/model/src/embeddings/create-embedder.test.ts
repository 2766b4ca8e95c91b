import { createFakeClock, FAKE_KEY, openFakeEmbeddings } from "@deputy/testing";
import { expect, test } from "vitest";
import type { ModelSettings } from "../create-model.ts";
import { ModelError } from "../model-error.ts";
import { createEmbedder } from "./create-embedder.ts";

const lengthOf = (text: string): readonly number[] => [text.length, 1];
const never = new AbortController().signal;

async function setup(wants: "key" | "no key" = "key") {
  const server = await openFakeEmbeddings(wants === "key" ? FAKE_KEY : undefined, lengthOf);
  const clock = createFakeClock();
  const embedder = (provider: string, settings: ModelSettings) =>
    createEmbedder({ provider, model: "text-embedding-3-small" }, { settings, fetch, clock });
  const openai = embedder("openai", { openaiApiKey: FAKE_KEY, openaiBaseUrl: server.baseUrl });
  return { server, clock, embedder, openai };
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ModelError ? error.code : String(error);
}

test("[W33] matches vectors to texts in any order; sends nothing for no texts", async () => {
  const { server, openai } = await setup();
  await using _ = server;
  expect(await openai.embed(["a", "bbb"], never)).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect(await openai.embed([], never)).toEqual([]);
  expect(server.asked).toEqual([["a", "bbb"]]);
});

test("[W33] asks a local server below /v1, with its own key or none", async () => {
  const { server, embedder } = await setup("no key");
  await using _ = server;
  const { origin } = new URL(server.baseUrl);
  const local = embedder("local", { localBaseUrl: origin, openaiApiKey: FAKE_KEY });
  expect(await local.embed(["ab"], never)).toEqual([[2, 1]]);
  expect(() => embedder("anthropic", {})).toThrow(expect.objectContaining({ code: "unknown_provider" }));
});

test("[W33] every failure has a code of the closed list", async () => {
  const { server, embedder, openai } = await setup();
  await using _ = server;
  const ask = () => codeOf(openai.embed(["a"], never));
  expect(await codeOf(embedder("openai", { openaiBaseUrl: server.baseUrl }).embed(["a"], never))).toBe(
    "missing_key",
  );
  const other = embedder("openai", { openaiApiKey: "sk-other", openaiBaseUrl: server.baseUrl });
  expect(await codeOf(other.embed(["a"], never))).toBe("wrong_key");
  server.answerNext(429, '{"error":{"message":"slower","type":"rate_limit_error"}}');
  expect(await ask()).toBe("rate_limited");
  for (const body of ["<html>", "{}", '{"data":[{"index":0,"embedding":["x"]}]}']) {
    server.answerNext(200, body);
    expect(await ask()).toBe("garbage");
  }
  const nowhere = embedder("openai", { openaiApiKey: FAKE_KEY, openaiBaseUrl: "http://127.0.0.1:1/v1" });
  expect(await codeOf(nowhere.embed(["a"], never))).toBe("connection_failed");
});

test("[W33] silence is a timeout; an abort ends the request with its reason", async () => {
  const { server, clock, openai } = await setup();
  await using _ = server;
  const arrived = server.hangNext();
  const late = codeOf(openai.embed(["a"], never));
  await arrived;
  await clock.advance(15_000);
  expect(await late).toBe("timeout");

  const controller = new AbortController();
  const reached = server.hangNext();
  const asked = openai.embed(["a"], controller.signal);
  await reached;
  controller.abort(new Error("enough"));
  await expect(asked).rejects.toThrow("enough");
});
