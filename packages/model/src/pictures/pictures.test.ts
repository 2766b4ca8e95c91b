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
import { createModel, type ModelMessage, type Picture } from "../index.ts";
import { findPicture } from "./find-picture.ts";
import { parseModelRef } from "../model-ref.ts";
import { canSee } from "./can-see.ts";

/** One pixel each. */
const FILES = {
  "image/png":
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "image/gif": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  "image/webp": "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
  "image/jpeg":
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
} as const;

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));

test.each(Object.entries(FILES))(
  "[W42] knows a picture and its size by its bytes: %s",
  (mediaType, base64) => {
    const bytes = bytesOf(base64);
    expect(findPicture(bytes)).toEqual({ mediaType, width: 1, height: 1, bytes: bytes.length });
    for (let end = 0; end < bytes.length; end++) findPicture(bytes.slice(0, end));
  },
);

test.each([
  ["nothing", ""],
  ["text", "PHN2Zz48L3N2Zz4="],
  ["zeros", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
  ["a JPEG without a frame", "/9j/4AAQ"],
])("[W42] %s is no picture", (_what, base64) => {
  expect(findPicture(bytesOf(base64))).toBe(undefined);
});

test.each([
  ["anthropic/claude-sonnet-5", true],
  ["openai/gpt-6-sol", true],
  ["openai/gpt-5.1-codex", true],
  ["openai/gpt-4o-2024-11-20", true],
  ["openai/gpt-4", false],
  ["openai/o3-mini", false],
  ["local/qwen3", false],
  ["local/qwen3-vl:8b", true],
  ["local/llava:13b", true],
  ["router/google/gemini-3-pro", true],
  ["router/anthropic/claude-haiku-5-5", true],
  ["rehearsal/tour", false],
])("[W43] %s can see: %s", (name, sees) => {
  expect(canSee(parseModelRef(name))).toBe(sees);
  expect(canSee(parseModelRef(name), { [name]: !sees })).toBe(!sees);
});

const PNG = FILES["image/png"];
const found = findPicture(bytesOf(PNG));
const seen: Picture = { blobId: "a", name: "one.png", found, data: PNG };
const unseen: Picture = { blobId: "b", name: "two\n.png", found, why: "it is too large" };

const conversation: readonly ModelMessage[] = [
  { role: "user", text: "What is this?", pictures: [seen, unseen] },
  { role: "assistant", parts: [{ kind: "tool_call", id: "c1", name: "look", inputJson: "{}" }] },
  { role: "tool", results: [{ callId: "c1", text: "Done.", isError: false, pictures: [seen] }] },
];

async function sent(name: string, createWire: () => FakeWire, vision?: Readonly<Record<string, boolean>>) {
  await using fake = await openFakeModelServer(createWire());
  const origin = fake.origin;
  const model = createModel(parseModelRef(name), {
    settings: {
      anthropicApiKey: FAKE_KEY,
      anthropicBaseUrl: origin,
      openaiApiKey: FAKE_KEY,
      openaiBaseUrl: `${origin}/v1`,
      localBaseUrl: origin,
    },
    vision,
    fetch,
    clock: createFakeClock(),
  });
  const tools = [{ name: "look", description: "Looks", inputSchema: { type: "object" } }];
  const request = { system: "", messages: conversation, tools, maxOutputTokens: 100 };
  for (let n = 0; n < 2; n++) {
    fake.play(say("A pixel."));
    await Array.fromAsync(model.stream(request, new AbortController().signal));
  }
  return fake.requests.map(({ body }) => body);
}

const SEEN = '[picture "one.png", 1x1, PNG, 1 kB]';
const UNSEEN = '[picture "two\\n.png", 1x1, PNG, 1 kB; it is too large]';
const ASKED = `What is this?\n${SEEN}\n${UNSEEN}`;
const TOLD = `Done.\n${SEEN}`;
const url = `data:image/png;base64,${PNG}`;

test("[W44] Anthropic gets pictures in messages and in results", async () => {
  const [body] = await sent("anthropic/claude-sonnet-5", createFakeAnthropic);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
  expect(body?.["messages"]).toMatchObject([
    { role: "user", content: [{ type: "text", text: ASKED }, image] },
    { role: "assistant" },
    { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text: TOLD }, image] }] },
  ]);
});

test("[W44] OpenAI gets pictures in messages and in results", async () => {
  const [body] = await sent("openai/gpt-6-sol", createFakeResponses);
  const image = { type: "input_image", detail: "auto", image_url: url };
  expect(body?.["input"]).toMatchObject([
    { role: "user", content: [{ type: "input_text", text: ASKED }, image] },
    { type: "function_call" },
    { type: "function_call_output", output: [{ type: "input_text", text: TOLD }, image] },
  ]);
});

test("[W44] chat servers get the pictures of results in a message behind them", async () => {
  const image = { type: "image_url", image_url: { url } };
  const apart = "(The pictures of these results.)";
  const [body] = await sent("local/qwen3-vl", createFakeChat);
  expect(body?.["messages"]).toMatchObject([
    { role: "user", content: [{ type: "text", text: ASKED }, image] },
    { role: "assistant" },
    { role: "tool", content: TOLD },
    { role: "user", content: [{ type: "text", text: apart }, image] },
  ]);
  const [ollama] = await sent("local/qwen3-vl", createFakeOllama);
  expect(ollama?.["messages"]).toMatchObject([
    { role: "user", content: ASKED, images: [PNG] },
    { role: "assistant" },
    { role: "tool", content: TOLD },
    { role: "user", content: apart, images: [PNG] },
  ]);
});

const BLIND = "this model cannot see pictures";
const DESCRIBED = [
  {
    role: "user",
    content: `What is this?\n[picture "one.png", 1x1, PNG, 1 kB; ${BLIND}]\n[picture "two\\n.png", 1x1, PNG, 1 kB; ${BLIND}]`,
  },
  { role: "assistant" },
  { role: "tool", content: `Done.\n[picture "one.png", 1x1, PNG, 1 kB; ${BLIND}]` },
];

test("[W45] a model that cannot see is told of pictures in words", async () => {
  const [body] = await sent("local/qwen3", createFakeChat);
  expect(body?.["messages"]).toMatchObject(DESCRIBED);
});

test("[W45] a server that rejects pictures is asked again without, and gets none from then on", async () => {
  const bodies = await sent("local/blind", createFakeChat, { "local/blind": true });
  expect(bodies).toHaveLength(3);
  for (const body of bodies.slice(1)) expect(body["messages"]).toMatchObject(DESCRIBED);
});
