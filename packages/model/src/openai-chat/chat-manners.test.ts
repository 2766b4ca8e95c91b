import { createSystemClock } from "@deputy/kit";
import { type ChatManners, createFakeChat, type FakeModelServer, openFakeModelServer } from "@deputy/testing";
import { expect, test } from "vitest";
import type { ModelMessage } from "../model.ts";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createChatModel } from "./chat-model.ts";

const choices = {
  index: ["counted", "zero", "missing"],
  id: ["once", "missing", "changing", "always_the_same"],
  arguments: ["streamed", "whole", "object", "repeated"],
  finish: ["right", "wrong", "missing"],
  name: ["whole", "pieces"],
  chunks: ["one_by_one", "together"],
} as const satisfies { readonly [K in keyof ChatManners]?: readonly ChatManners[K][] };

/** Every way to stream calls, with the other two in turn. */
const manners = choices.index.flatMap((index) =>
  choices.id.flatMap((id) =>
    choices.name.flatMap((name) =>
      choices.chunks.flatMap((chunks) =>
        choices.arguments.map((args, at): ChatManners => {
          const finish = choices.finish[at % choices.finish.length] ?? "right";
          const usage = at % 2 === 0 ? "last_chunk" : "missing";
          const words = "content";
          return { index, id, name, chunks, arguments: args, finish, usage, words, calls: "apart" };
        }),
      ),
    ),
  ),
);

/** Calls cannot be told apart here: no index, no id, and nothing is complete before the next begins. */
function isHopeless({ index, id, arguments: args, name, chunks }: ChatManners): boolean {
  if (index !== "counted" && id === "always_the_same" && args === "streamed") return true;
  // Only the arguments of such a call are repeated.
  if (id === "changing" && name === "pieces") return true;
  // In one chunk, a repeated name is another call.
  return chunks === "together" && (args === "repeated" || (id === "changing" && args === "streamed"));
}

const tools = [{ name: "run_code", description: "", inputSchema: {} }];
const inputs = [{ code: "return 1;" }, { code: 'const s = "}{";' }, { code: "return 3;" }];

function setup(fake: FakeModelServer) {
  const names = { urlVariable: "U", keyVariable: "K", place: "here" } as const;
  const provider = { name: "It", model: "m", baseUrl: `${fake.origin}/v1`, ...names };
  const deps = { fetch, clock: createSystemClock(), limits: DEFAULT_WIRE_LIMITS };
  const model = createChatModel(deps, { provider: "local", model: "m" }, provider);
  return async (messages: readonly ModelMessage[]) => {
    const request = { system: "", messages, tools, maxOutputTokens: 100 };
    return await Array.fromAsync(model.stream(request, new AbortController().signal));
  };
}

test.each(manners.filter((manner) => !isHopeless(manner)))(
  "[W17] calls of a server with index $index, id $id, name $name, chunks $chunks, arguments $arguments",
  async (manner) => {
    await using fake = await openFakeModelServer(createFakeChat(manner));
    const ask = setup(fake);
    const messages: ModelMessage[] = [{ role: "user", text: "Go" }];
    for (let round = 0; round < 2; round++) {
      const parts = inputs.map((input) => ({ kind: "tool_call", name: "run_code", input }) as const);
      fake.play({ kind: "answer", answer: { parts } });
      const events = await ask(messages);
      const calls = events.filter((event) => event.kind === "tool_call");
      expect(calls.map(({ inputJson }) => JSON.parse(inputJson) as unknown)).toEqual(inputs);
      expect(calls.map(({ name }) => name)).toEqual(["run_code", "run_code", "run_code"]);
      expect(events.at(-1)).toEqual({ kind: "stop", reason: "tool_calls" });
      expect(events.some(({ kind }) => kind === "usage")).toBe(manner.usage === "last_chunk");
      messages.push({ role: "assistant", parts: calls });
      const results = calls.map(({ id }) => ({ callId: id, text: "Result: 1", isError: false }));
      messages.push({ role: "tool", results });
    }
    const ids = messages.flatMap((message) =>
      message.role === "assistant"
        ? message.parts.map((part) => (part.kind === "tool_call" ? part.id : ""))
        : [],
    );
    expect(new Set(ids).size).toBe(6);

    fake.play({ kind: "answer", answer: { parts: [{ kind: "text", text: "Done." }] } });
    expect((await ask(messages)).at(-1)).toEqual({ kind: "stop", reason: "end" });
  },
);

test.each(["content", "parts", "message", "think_tags"] as const)(
  "[W31] [W32] passes on words in %s once, and separates reasoning",
  async (words) => {
    await using fake = await openFakeModelServer(createFakeChat({ words }));
    const thought = "Let me see. 😀 a < b </think is no tag";
    const text = "So: it is <think>this</think>, and nothing else.";
    fake.play({
      kind: "answer",
      answer: {
        parts: [
          { kind: "reasoning", text: thought },
          { kind: "text", text },
          { kind: "tool_call", name: "run_code", input: { code: "1" } },
        ],
      },
    });
    const events = await setup(fake)([{ role: "user", text: "Go" }]);
    const join = (kind: "text" | "reasoning"): string =>
      events.map((event) => (event.kind === kind ? event.text : "")).join("");
    expect([join("reasoning"), join("text")]).toEqual([thought, text]);
    expect(events.filter(({ kind }) => kind === "tool_call")).toHaveLength(1);
  },
);

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const choice = (value: object): string => data({ choices: [{ index: 0, ...value }] });
const DONE = "data: [DONE]\n\n";

async function askRaw(...frames: readonly string[]) {
  await using fake = await openFakeModelServer(createFakeChat());
  fake.play({ kind: "garbage", at: "before_output", text: frames.join("") });
  return await setup(fake)([{ role: "user", text: "Go" }]);
}

test.each([
  [
    "a whole message after its deltas",
    [choice({ delta: { content: "Wh" } }), choice({ message: { content: "Whole." } })],
  ],
  [
    "Mistral's parts",
    [
      choice({ delta: { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] } }),
      choice({ delta: { content: [{ type: "text", text: "Whole." }] } }),
    ],
  ],
])("[W32] %s: leaves out nothing and repeats nothing", async (_what, frames) => {
  const events = await askRaw(...frames, DONE);
  expect(events.map((event) => (event.kind === "text" ? event.text : "")).join("")).toBe("Whole.");
});

test("[W17] reads the older function_call as a call", async () => {
  const events = await askRaw(
    choice({ delta: { function_call: { name: "run_code", arguments: '{"co' } } }),
    choice({ delta: { function_call: { arguments: 'de":"1"}' } }, finish_reason: "function_call" }),
    DONE,
  );
  expect(events).toEqual([
    { kind: "tool_call", id: "call_0", name: "run_code", inputJson: '{"code":"1"}' },
    { kind: "stop", reason: "tool_calls" },
  ]);
});

test.each([
  [
    "an error as an event",
    [data({ object: "error", message: "It broke", code: 500 }), DONE],
    "overloaded",
    "(500): It broke.",
  ],
  [
    "an error in a choice",
    [choice({ delta: {}, error: { code: 429, message: "Too fast" } }), DONE],
    "rate_limited",
    "(429): Too fast.",
  ],
  [
    "“error” for an end",
    [choice({ delta: {}, finish_reason: "error" }), DONE],
    "overloaded",
    "ended the answer with “error”",
  ],
  [
    "“abort” for an end",
    [choice({ delta: {}, finish_reason: "abort" }), DONE],
    "overloaded",
    "ended the answer with “abort”",
  ],
  ["an end and nothing else", [DONE], "empty_answer", "without having said anything"],
])("[W7] [W28] %s is a failure", async (_what, frames, code, words) => {
  await expect(askRaw(...frames)).rejects.toMatchObject({
    code,
    output: "none",
    message: expect.stringContaining(words) as string,
  });
});

const call = (input: object) => ({ kind: "tool_call", name: "run_code", input: { ...input } }) as const;

test.each([
  ["tagged", inputs],
  ["bracketed", inputs],
  ["bare", inputs.slice(0, 1)],
  ["fenced", inputs.slice(0, 1)],
] as const)("[W37] finds calls that a server left %s in the text", async (calls, given) => {
  await using fake = await openFakeModelServer(createFakeChat({ calls, finish: "wrong" }));
  const ask = setup(fake);
  fake.play({ kind: "answer", answer: { parts: given.map(call) } });
  const events = await ask([{ role: "user", text: "Go" }]);
  expect(events.filter(({ kind }) => kind === "text")).toEqual([]);
  expect(
    events.flatMap((event) => (event.kind === "tool_call" ? [JSON.parse(event.inputJson) as unknown] : [])),
  ).toEqual(given);
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "tool_calls" });
});

test("[W37] keeps what was said before such calls", async () => {
  await using fake = await openFakeModelServer(createFakeChat({ calls: "tagged" }));
  const ask = setup(fake);
  const parts = [{ kind: "text", text: "I look it up." } as const, call({ code: "return 1;" })];
  fake.play({ kind: "answer", answer: { parts } });
  const events = await ask([{ role: "user", text: "Go" }]);
  expect(events.map((event) => (event.kind === "text" ? event.text : "")).join("")).toBe("I look it up.\n");
  expect(events.filter(({ kind }) => kind === "tool_call")).toHaveLength(1);
});

test.each([
  ['Write <tool_call>{"name": "run_code", "arguments": {}}</tool_call> to call.'],
  ['<tool_call>\n{"name": "run_code", "arguments": {}}\n</tool_call>\nThat is how it is written.'],
  ['<tool_call>\n{"name": "other", "arguments": {}}\n</tool_call>'],
  ['{"name": "Ada", "arguments": "none"}'],
  ['{"name": "run_code"}'],
  [`{"long": "${"x".repeat(500)}", "name": "run_code", "arguments": {}}`],
  ["[TOOL_CALLS] are what they are called"],
  ["<tool"],
])("[W37] text stays text: %s", async (text) => {
  await using fake = await openFakeModelServer(createFakeChat());
  const ask = setup(fake);
  fake.play({ kind: "answer", answer: { parts: [{ kind: "text", text }] } });
  const events = await ask([{ role: "user", text: "Go" }]);
  expect(events.map((event) => (event.kind === "text" ? event.text : "")).join("")).toBe(text);
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "end" });
});
