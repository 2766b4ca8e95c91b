import { execFile } from "node:child_process";
import { promisify } from "node:util";
import {
  createFakeAnthropic,
  createFakeChat,
  createFakeClock,
  createFakeOllama,
  createFakeResponses,
  FAKE_KEY,
  type FakeWire,
  openFakeModelServer,
  say,
} from "@deputy/testing";
import { expect, test } from "vitest";
import { costOf, createModel, type ModelSettings } from "./index.ts";
import { parseModelRef } from "./model-ref.ts";

const request = {
  system: "",
  messages: [{ role: "user", text: "Hello" } as const],
  tools: [],
  maxOutputTokens: 100,
};

const once = { attempts: 1, baseMs: 0, maxMs: 0 };

async function ask(name: string, settings: ModelSettings): Promise<string> {
  const model = createModel(parseModelRef(name), {
    settings,
    fetch,
    clock: createFakeClock(),
    retryLimits: once,
  });
  const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
  return events.map((event) => (event.kind === "text" ? event.text : "")).join("");
}

const keys = { anthropicApiKey: FAKE_KEY, openaiApiKey: FAKE_KEY };

test.each<[string, () => FakeWire, (origin: string) => ModelSettings]>([
  ["anthropic/claude-sonnet-5", createFakeAnthropic, (url) => ({ ...keys, anthropicBaseUrl: url })],
  ["openai/gpt-6", createFakeResponses, (url) => ({ ...keys, openaiBaseUrl: `${url}/v1` })],
  ["local/qwen3", createFakeChat, (url) => ({ ...keys, localBaseUrl: `${url}/v1` })],
  ["local/qwen3:8b", createFakeChat, (url) => ({ ...keys, localBaseUrl: url })],
  ["local/qwen3:14b", createFakeOllama, (url) => ({ ...keys, localBaseUrl: url })],
  ["local/qwen3:30b", createFakeOllama, (url) => ({ ...keys, localBaseUrl: `${url}/v1` })],
])("[W20] [W21] %s talks to the right kind of server", async (name, createWire, settingsFor) => {
  await using fake = await openFakeModelServer(createWire());
  fake.play(say("It is me."), say("Still me."));
  expect(await ask(name, settingsFor(fake.origin))).toBe("It is me.");
  expect(fake.requests[0]?.body["model"]).toBe(parseModelRef(name).model);
});

test("[W20] sends no key to a local server", async () => {
  await using fake = await openFakeModelServer(createFakeChat());
  fake.play(say("Hello."));
  await ask("local/qwen3", { ...keys, localBaseUrl: fake.origin });
  expect(JSON.stringify(fake.requests)).not.toContain(FAKE_KEY);
});

test.each([
  ["Chat Completions", () => createFakeChat({}, "own-key")],
  ["Ollama", () => createFakeOllama({ ownKey: "own-key" })],
])("[W20] sends a local server its own key, over %s", async (_what, createWire) => {
  await using fake = await openFakeModelServer(createWire());
  fake.play(say("Hello."));
  const settings = { ...keys, localBaseUrl: fake.origin };
  expect(await ask("local/qwen3", { ...settings, localApiKey: " own-key\n" })).toBe("Hello.");
  for (const localApiKey of [undefined, " ", "another", "two\nlines"]) {
    await expect(ask("local/qwen3", { ...settings, localApiKey })).rejects.toMatchObject({
      code: "wrong_key",
      message: expect.stringContaining("Set DEPUTY_LOCAL_API_KEY to the key that it takes") as string,
    });
  }
  expect(JSON.stringify(fake.requests)).not.toContain(FAKE_KEY);
});

test.each([
  ["anthropic/claude-sonnet-5", "ANTHROPIC_API_KEY"],
  ["openai/gpt-6", "OPENAI_API_KEY"],
])("[W20] %s without a key: the error says what to set", async (name, variable) => {
  await expect(ask(name, {})).rejects.toMatchObject({
    code: "missing_key",
    message: expect.stringContaining(variable) as string,
  });
});

test.each([
  ["mistral/large", "unknown_provider"],
  ["rehearsal/opera", "unknown_model"],
])("[W20] there is no %s: %s", (name, code) => {
  expect(() => createModel(parseModelRef(name), { settings: {}, fetch, clock: createFakeClock() })).toThrow(
    expect.objectContaining({ code }) as Error,
  );
});

test("[W41] a further server is asked at its own address, with its own key", async () => {
  await using fake = await openFakeModelServer({
    ...createFakeChat({}, "own-key"),
    path: "/api/v1/chat/completions",
  });
  fake.play(say("Hello from there."));
  const servers = { router: { baseUrl: `${fake.origin}/api/v1`, apiKey: "own-key" } };
  expect(await ask("router/maker/small", { ...keys, servers })).toBe("Hello from there.");
  expect(fake.requests[0]?.body["model"]).toBe("maker/small");
  expect(JSON.stringify(fake.requests)).not.toContain(FAKE_KEY);
  const wrong = { router: { ...servers.router, apiKey: "another" } };
  await expect(ask("router/maker/small", { ...keys, servers: wrong })).rejects.toMatchObject({
    code: "wrong_key",
    message: expect.stringMatching(/^The server “router” refused the key.*DEPUTY_ROUTER_API_KEY/) as string,
  });
  expect(costOf({ inputTokens: 1, outputTokens: 1 }, parseModelRef("router/maker/small"))).toBe(undefined);
});

test("[W20] reports an invalid address", async () => {
  const settings = { anthropicApiKey: FAKE_KEY, anthropicBaseUrl: "not an address" };
  await expect(ask("anthropic/claude-sonnet-5", settings)).rejects.toMatchObject({
    code: "connection_failed",
  });
});

test("[W21] asks once what kind of server it is, and again if it could not be reached", async () => {
  await using fake = await openFakeModelServer(createFakeOllama());
  fake.play(say("One"), say("Two"));
  const asked: string[] = [];
  let isUp = false;
  const counting: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    asked.push(pathname);
    if (!isUp) throw new TypeError("fetch failed");
    return await fetch(new URL(pathname, fake.origin), init);
  };
  const model = createModel(parseModelRef("local/qwen3"), {
    settings: {},
    fetch: counting,
    clock: createFakeClock(),
    retryLimits: once,
  });
  const stream = () => Array.fromAsync(model.stream(request, new AbortController().signal));
  await expect(stream()).rejects.toMatchObject({ code: "connection_failed" });
  isUp = true;
  await stream();
  await stream();
  expect(asked).toEqual(["/api/version", "/v1/chat/completions", "/api/version", "/api/chat", "/api/chat"]);
});

test("[W21] uses Chat Completions if a server never says what it is", async () => {
  await using fake = await openFakeModelServer(createFakeChat());
  fake.play(say("Here."));
  const asked = Promise.withResolvers<void>();
  const silent: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname !== "/api/version") return await fetch(input, init);
    asked.resolve();
    return await new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  };
  const clock = createFakeClock();
  const deps = { settings: { localBaseUrl: fake.origin }, fetch: silent, clock };
  const model = createModel(parseModelRef("local/qwen3"), deps);
  const events = Array.fromAsync(model.stream(request, new AbortController().signal));
  await asked.promise;
  await clock.advance(5_000);
  expect((await events).at(-1)).toEqual({ kind: "stop", reason: "end" });
  expect(clock.sleepers).toBe(0);
});

test("[W24] loads the SDKs only when a model is first asked", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) });
    const { createModel } = await import("@deputy/model");
    const { createSystemClock } = await import("@deputy/kit");
    const isSdk = (name) => /^(openai|@anthropic-ai\\/sdk)$/.test(name);
    const settings = { anthropicApiKey: "k", openaiApiKey: "k" };
    const fetch = async () => { throw new TypeError("offline"); };
    const retryLimits = { attempts: 1, baseMs: 0, maxMs: 0 };
    const refs = [{ provider: "anthropic", model: "m" }, { provider: "openai", model: "m" }];
    const models = refs.map((ref) => createModel(ref, { settings, fetch, clock: createSystemClock(), retryLimits }));
    const idle = loaded.filter(isSdk);
    for (const model of models) {
      const request = { system: "", messages: [], tools: [], maxOutputTokens: 9 };
      await Array.fromAsync(model.stream(request, new AbortController().signal)).catch(() => undefined);
    }
    process.stdout.write(JSON.stringify({ idle, used: loaded.filter(isSdk) }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: import.meta.dirname,
  });
  expect(JSON.parse(stdout)).toEqual({ idle: [], used: ["@anthropic-ai/sdk", "openai"] });
});
