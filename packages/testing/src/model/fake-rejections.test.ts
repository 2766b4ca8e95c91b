import { describe, expect, test } from "vitest";
import { createFakeAnthropic } from "./anthropic/fake-anthropic.ts";
import { FAKE_KEY, type FakeWire, type Json } from "./fake/fake-wire.ts";
import { createFakeOllama } from "./ollama/fake-ollama.ts";
import { createFakeChat } from "./openai-chat/fake-chat.ts";
import { createFakeResponses } from "./openai-responses/fake-responses.ts";

const BEARER = { authorization: `Bearer ${FAKE_KEY}` };
const headersOf = { anthropic: { ...BEARER, "anthropic-version": "2026-10-21" }, openai: BEARER, local: {} };

function complaintOf(
  wire: FakeWire,
  headers: Readonly<Record<string, string>>,
  body: Json,
): string | undefined {
  const request = { method: "POST", path: wire.path, headers, raw: JSON.stringify(body), body };
  const complaint = wire.complain(request);
  return complaint === undefined ? undefined : JSON.stringify(complaint.body);
}

const text = (words: string): Json => ({ type: "text", text: words });
const use = (id: string): Json => ({ type: "tool_use", id, name: "run_code", input: {} });
const result = (id: string): Json => ({ type: "tool_result", tool_use_id: id, content: "1" });
const user = (...content: readonly Json[]): Json => ({ role: "user", content });
const assistant = (...content: readonly Json[]): Json => ({ role: "assistant", content });
const marked = (words: string): Json => ({ ...text(words), cache_control: { type: "ephemeral" } });

describe("Anthropic's fake", () => {
  const good: Json = { model: "m", max_tokens: 9, stream: true, messages: [user(text("Hi"))] };
  const withMessages = (...messages: readonly Json[]): Json => ({ ...good, messages });
  const rounds = [user(text("Hi")), assistant(use("a")), user(result("a"))];

  test.each([good, withMessages(...rounds), { ...good, messages: [{ role: "user", content: "Hi" }] }])(
    "[W14] accepts a good request",
    (body) => {
      expect(complaintOf(createFakeAnthropic(), headersOf.anthropic, body)).toBeUndefined();
    },
  );

  test.each<[what: string, body: Json, words: string]>([
    ["no max_tokens", { ...good, max_tokens: undefined }, "max_tokens: Field required"],
    ["temperature", { ...good, temperature: 1 }, "temperature: Extra inputs are not permitted"],
    ["top_p", { ...good, top_p: 1 }, "top_p: Extra inputs"],
    ["top_k", { ...good, top_k: 1 }, "top_k: Extra inputs"],
    ["an unknown field", { ...good, frequency_penalty: 1 }, "frequency_penalty: Extra inputs"],
    [
      "an unknown field of a block",
      withMessages(user({ ...text("Hi"), note: 1 })),
      "text.note: Extra inputs",
    ],
    ["no messages", withMessages(), "at least one message"],
    ["the assistant first", withMessages(assistant(text("Hi")), user(text("Hi"))), "first message must use"],
    [
      "the assistant last",
      withMessages(user(text("Hi")), assistant(text("Hi"))),
      "does not support assistant message prefill",
    ],
    [
      "a role that is none",
      withMessages(user(text("Hi")), { role: "tool", content: "1" }),
      "role: Input should be",
    ],
    ["empty text", withMessages(user(text(""))), "must be non-empty"],
    ["blank text", withMessages(user(text(" \n"))), "non-whitespace"],
    ["an empty message", withMessages(user()), "non-empty content"],
    ["an empty system prompt", { ...good, system: [text("")] }, "must be non-empty"],
    [
      "a call without a result",
      withMessages(...rounds.slice(0, 2), user(text("?"))),
      "without `tool_result`",
    ],
    ["a result without a call", withMessages(user(text("Hi"), result("a"))), "unexpected `tool_use_id`"],
    [
      "two results of one call",
      withMessages(...rounds.slice(0, 2), user(result("a"), result("a"))),
      "single result",
    ],
    [
      "text before a result",
      withMessages(...rounds.slice(0, 2), user(text("?"), result("a"))),
      "must come before text",
    ],
    ["an id twice", withMessages(...rounds, assistant(use("a")), user(result("a"))), "ids must be unique"],
    [
      "an id of another kind",
      withMessages(user(text("Hi")), assistant(use("a:0")), user(result("a:0"))),
      "tool_use.id: String should match",
    ],
    [
      "input that is no object",
      withMessages(user(text("Hi")), assistant({ ...use("a"), input: "{}" }), user(result("a"))),
      "input: Input should be",
    ],
    [
      "a bad tool name",
      { ...good, tools: [{ name: "run code", input_schema: { type: "object" } }] },
      "name: String should match",
    ],
    [
      "a tool twice",
      { ...good, tools: [1, 2].map(() => ({ name: "a", input_schema: { type: "object" } })) },
      "names must be unique",
    ],
    ["a tool without a schema", { ...good, tools: [{ name: "a", input_schema: {} }] }, "input_schema.type"],
    ["five breakpoints", withMessages(user(...[1, 2, 3, 4, 5].map((n) => marked(`${n}`)))), "Found 5"],
    [
      "thinking it did not sign",
      withMessages(
        user(text("Hi")),
        assistant({ type: "thinking", thinking: "Hm", signature: "s" }, use("a")),
        user(result("a")),
      ),
      "Invalid `signature`",
    ],
    [
      "thinking without a signature",
      withMessages(
        user(text("Hi")),
        assistant({ type: "thinking", thinking: "Hm" }, use("a")),
        user(result("a")),
      ),
      "signature: Field required",
    ],
    [
      "an answer that ends in thinking",
      withMessages(user(text("Hi")), assistant({ type: "redacted_thinking", data: "x" }), user(text("?"))),
      "cannot be `thinking`",
    ],
  ])("[W14] rejects %s", (_what, body, words) => {
    const sent = JSON.parse(JSON.stringify(body)) as Json;
    expect(complaintOf(createFakeAnthropic(), headersOf.anthropic, sent)).toContain(words);
  });

  test.each([{ "x-api-key": FAKE_KEY }, { authorization: "Bearer other" }, {}])(
    "[W14] rejects the key in %j",
    (headers) => {
      expect(complaintOf(createFakeAnthropic(), headers, good)).toContain("authentication_error");
    },
  );

  test("[W14] rejects the old version", () => {
    const headers = { ...headersOf.anthropic, "anthropic-version": "2023-06-01" };
    expect(complaintOf(createFakeAnthropic(), headers, good)).toContain("anthropic-version");
  });

  const thinkAndCall = (wire: FakeWire) => {
    const request = { method: "POST", path: wire.path, headers: {}, raw: "", body: good };
    const parts = [
      { kind: "reasoning", text: "Hm" },
      { kind: "tool_call", name: "run_code", input: {} },
    ] as const;
    const frames = wire.frames({ parts }, request).output.join("");
    const signature = JSON.parse(
      `"${/"signature_delta","signature":"((?:[^"\\]|\\.)*)"/.exec(frames)?.[1] ?? ""}"`,
    ) as string;
    return { type: "thinking", thinking: "Hm", signature };
  };

  test("[W14] accepts its own thinking, and rejects it changed, left out, or after another prompt", () => {
    const wire = createFakeAnthropic();
    const thinking = thinkAndCall(wire);
    const back = (block: readonly Json[], body = good): string | undefined =>
      complaintOf(wire, headersOf.anthropic, {
        ...body,
        messages: [user(text("Hi")), assistant(...block, use("toolu_1")), user(result("toolu_1"))],
      });
    expect(back([thinking])).toBeUndefined();
    expect(back([{ ...thinking, thinking: "hm" }])).toContain("Invalid `signature`");
    expect(back([])).toContain("Expected `thinking`");
    expect(back([thinking], { ...good, system: "New" })).toContain("bound to a different conversation");
  });
});

describe("the Responses fake", () => {
  const message: Json = { role: "user", content: "Hi" };
  const called: Json = { type: "function_call", call_id: "a", name: "f", arguments: "{}" };
  const output: Json = { type: "function_call_output", call_id: "a", output: "1" };
  const reasoning: Json = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
  const good: Json = { model: "m", stream: true, store: false, input: [message] };
  const withInput = (...input: readonly Json[]): Json => ({ ...good, input });

  test.each([good, withInput(message, called, output)])("[W14] accepts a good request", (body) => {
    expect(complaintOf(createFakeResponses(), headersOf.openai, body)).toBeUndefined();
  });

  test.each<[what: string, body: Json, words: string]>([
    ["an unknown field", { ...good, max_tokens: 9 }, "Unknown parameter: 'max_tokens'"],
    ["temperature", { ...good, temperature: 1 }, "'temperature' is not supported"],
    ["too small a limit", { ...good, max_output_tokens: 15 }, "below minimum"],
    ["no input", withInput(), "Missing required parameter: 'input'"],
    ["an unknown role", withInput({ role: "tool", content: "1" }), "Invalid value: 'tool'"],
    ["a call without output", withInput(message, called), "No tool output found for function call a"],
    ["output without a call", withInput(message, output), "No tool call found"],
    ["a call twice", withInput(message, called, output, called), "Duplicate function call"],
    [
      "arguments that are an object",
      withInput(message, { ...called, arguments: {} }, output),
      "expected a string",
    ],
    ["too long an id", withInput(message, { ...called, call_id: "a".repeat(65) }, output), "call_id"],
    [
      "a tool in Chat's form",
      { ...good, tools: [{ type: "function", function: { name: "f" } }] },
      "tools[0].function",
    ],
    [
      "a bad tool name",
      { ...good, tools: [{ type: "function", name: "a b", parameters: {} }] },
      "does not match pattern",
    ],
    ["reasoning that nothing follows", withInput(message, reasoning), "without its required following item"],
    ["reasoning it did not encrypt", withInput(message, reasoning, called, output), "could not be verified"],
    [
      "reasoning it was told not to store",
      withInput(message, { ...reasoning, encrypted_content: null }, called, output),
      "not persisted",
    ],
  ])("[W14] rejects %s", (_what, body, words) => {
    expect(complaintOf(createFakeResponses(), headersOf.openai, body)).toContain(words);
  });
});

describe("the Chat fake", () => {
  const hi: Json = { role: "user", content: "Hi" };
  const calling = (id: string, json: unknown = "{}"): Json => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name: "f", arguments: json } }],
  });
  const output: Json = { role: "tool", tool_call_id: "a", content: "1" };
  const good: Json = { model: "m", stream: true, messages: [hi] };
  const withMessages = (...messages: readonly Json[]): Json => ({ ...good, messages });

  test.each([good, withMessages({ role: "system", content: "S" }, hi, calling("a"), output)])(
    "[W14] accepts a good request",
    (body) => {
      expect(complaintOf(createFakeChat(), headersOf.local, body)).toBeUndefined();
    },
  );

  test.each<[what: string, body: Json, words: string]>([
    ["an unknown field", { ...good, top_k: 1 }, "top_k"],
    ["a limit of nothing", { ...good, max_tokens: 0 }, "max_tokens"],
    [
      "an answer without content",
      withMessages(hi, { role: "assistant", content: null }, hi),
      "expected a string",
    ],
    ["two users in a row", withMessages(hi, hi), "must alternate"],
    ["the assistant first", withMessages({ role: "assistant", content: "Hi" }, hi), "must alternate"],
    ["the assistant last", withMessages(hi, { role: "assistant", content: "Hi" }), "prefill"],
    ["a late system prompt", withMessages(hi, { role: "system", content: "S" }), "at the beginning"],
    ["a call without a result", withMessages(hi, calling("a"), hi), "did not have response messages: a"],
    ["a result without a call", withMessages(hi, output), "must be a response"],
    ["arguments that are an object", withMessages(hi, calling("a", {}), output), "a string of JSON"],
    ["arguments that are not JSON", withMessages(hi, calling("a", "{"), output), "a string of JSON"],
    [
      "a bad tool name",
      { ...good, tools: [{ type: "function", function: { name: "a b" } }] },
      "function.name",
    ],
  ])("[W14] rejects %s", (_what, body, words) => {
    expect(complaintOf(createFakeChat(), headersOf.local, body)).toContain(words);
  });

  test("[W14] rejects a key that is not its own", () => {
    expect(complaintOf(createFakeChat(), BEARER, good)).toContain("was sent a key");
    expect(complaintOf(createFakeChat({}, "own"), BEARER, good)).toContain("Unauthorized");
    expect(complaintOf(createFakeChat({}, FAKE_KEY), BEARER, good)).toBeUndefined();
  });
});

describe("Ollama's fake", () => {
  const hi: Json = { role: "user", content: "Hi" };
  const good: Json = { model: "m", messages: [hi], truncate: false, shift: false, options: { num_ctx: 9 } };
  const called = {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "a", function: { name: "f", arguments: {} } }],
  };

  test("[W14] accepts a good request", () => {
    expect(complaintOf(createFakeOllama(), headersOf.local, good)).toBeUndefined();
  });

  test.each<[what: string, body: Json, words: string]>([
    ["an unknown field", { ...good, max_tokens: 9 }, "max_tokens"],
    ["forgetting", { ...good, truncate: undefined }, "forgotten silently"],
    ["its own context size", { ...good, options: {} }, "a few thousand"],
    [
      "arguments that are text",
      {
        ...good,
        messages: [hi, { role: "assistant", content: "", tool_calls: [{ function: { arguments: "{}" } }] }],
      },
      "cannot unmarshal string",
    ],
    ["a call without a result", { ...good, messages: [hi, called, hi] }, "do not pair up"],
    [
      "the assistant last",
      { ...good, messages: [hi, { role: "assistant", content: "Hi" }] },
      "ends with the assistant",
    ],
  ])("[W14] rejects %s", (_what, body, words) => {
    expect(complaintOf(createFakeOllama(), headersOf.local, body)).toContain(words);
  });
});
