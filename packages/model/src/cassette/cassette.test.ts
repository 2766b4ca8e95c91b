import { createSystemClock } from "@deputy/kit";
import {
  createFakeAnthropic,
  createFakeChat,
  FAKE_KEY,
  openFakeModelServer,
  say,
  type ScriptedStep,
} from "@deputy/testing";
import { expect, test } from "vitest";
import { createModel, ModelError, type ModelEvent } from "../index.ts";
import {
  type Cassette,
  createRecordingFetch,
  createReplayingFetch,
  formatCassette,
  parseCassette,
} from "./index.ts";

const SECRET = "hunter2-hunter2";
const redact = (text: string): string => text.replaceAll(SECRET, "[secret]").replaceAll(FAKE_KEY, "[key]");
const once = { attempts: 1, baseMs: 0, maxMs: 0 };

async function ask(withFetch: typeof fetch, origin: string, text: string): Promise<ModelEvent[]> {
  const settings = { anthropicApiKey: FAKE_KEY, anthropicBaseUrl: origin };
  const deps = { settings, fetch: withFetch, clock: createSystemClock(), retryLimits: once };
  const model = createModel({ provider: "anthropic", model: "claude-sonnet-5" }, deps);
  const request = {
    system: "",
    messages: [{ role: "user", text } as const],
    tools: [],
    maxOutputTokens: 100,
  };
  return await Array.fromAsync(model.stream(request, new AbortController().signal));
}

function describeError(error: unknown): unknown {
  if (!(error instanceof ModelError)) throw error;
  const { code, message, output, retryAfterMs } = error;
  return { code, message, output, retryAfterMs };
}

async function record(...asked: readonly (readonly [text: string, step: ScriptedStep])[]) {
  await using fake = await openFakeModelServer(createFakeAnthropic());
  const recording = createRecordingFetch({ fetch, redact });
  const outcomes: unknown[] = [];
  for (const [text, step] of asked) {
    fake.play(step);
    outcomes.push(await ask(recording.fetch, fake.origin, text).catch(describeError));
  }
  return { cassette: parseCassette(formatCassette(recording.cassette())), outcomes };
}

const replay = (cassette: Cassette) => createReplayingFetch(cassette, { redact });

test("[W23] replays a recording without the provider, errors and cuts included", async () => {
  const { cassette, outcomes } = await record(
    ["Hello", say("Grüße 😀")],
    ["Again", { kind: "status", fault: "rate_limited", headers: { "retry-after": "3" } }],
    ["And again", { kind: "cut", how: "broken", at: "after_output" }],
  );
  const replaying = replay(cassette);
  const again: unknown[] = [];
  for (const text of ["Hello", "Again", "And again"])
    again.push(await ask(replaying.fetch, "http://nowhere.invalid", text).catch(describeError));
  replaying.assertPlayed();
  expect(again).toEqual(outcomes);
  expect(again.slice(1)).toMatchObject([
    { code: "rate_limited", retryAfterMs: 3_000 },
    { code: "stream_cut", output: "some" },
  ]);
});

test("[W23] rejects a request that differs from the recorded one, and shows where", async () => {
  const { cassette } = await record(["What is the time?", say("Late.")]);
  const replaying = replay(cassette);
  await expect(ask(replaying.fetch, "http://nowhere.invalid", "What is the tide?")).rejects.toMatchObject({
    code: "cassette_mismatch",
    message: expect.stringMatching(
      /request 1 has another body from character \d+ on: .*the time.*the tide/,
    ) as string,
  });
});

test("[W23] fails with one request more, or one less", async () => {
  const { cassette } = await record(["Hello", say("Hi.")]);
  const replaying = replay(cassette);
  expect(() => replaying.assertPlayed()).toThrow("1 of its 1 requests were not made");
  await ask(replaying.fetch, "http://nowhere.invalid", "Hello");
  await expect(ask(replaying.fetch, "http://nowhere.invalid", "Hello")).rejects.toThrow("one more");
});

test("[W23] a cassette contains no keys or secrets, and still replays", async () => {
  const { cassette, outcomes } = await record([`My password is ${SECRET}`, say("I will not repeat it.")]);
  const text = formatCassette(cassette);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(FAKE_KEY);
  expect(text).toContain("My password is [secret]");
  expect(await ask(replay(cassette).fetch, "http://nowhere.invalid", `My password is ${SECRET}`)).toEqual(
    outcomes[0],
  );
});

test("[W23] a cassette contains no secret from an answer", async () => {
  const { cassette } = await record([
    "Hello",
    { kind: "document", contentType: "text/plain", body: `x ${SECRET} y` },
  ]);
  expect(formatCassette(cassette)).toContain("x [secret] y");
});

test("[W23] keeps a stream as far as it was read", async () => {
  await using fake = await openFakeModelServer(createFakeChat());
  fake.play(say("Good day."));
  const recording = createRecordingFetch({ fetch, redact });
  const deps = {
    settings: { localBaseUrl: fake.origin },
    fetch: recording.fetch,
    clock: createSystemClock(),
  };
  const model = createModel({ provider: "local", model: "m" }, deps);
  const request = {
    system: "",
    messages: [{ role: "user", text: "Hello" } as const],
    tools: [],
    maxOutputTokens: 9,
  };
  await Array.fromAsync(model.stream(request, new AbortController().signal));
  const [, chat] = recording.cassette().recordings;
  expect(chat?.response.body).toContain("[DONE]");
  expect(chat?.response.end).toBe("whole");
});

test.each(["", "{}", '{"version":2,"recordings":[]}', '{"version":1,"recordings":[{"request":{}}]}'])(
  "[W23] rejects %j as a cassette",
  (text) => {
    expect(() => parseCassette(text)).toThrow("This is not a cassette");
  },
);
