import { expect, test, vi } from "vitest";
import { HANDLED, openPinned, serveByHand, tool } from "./mcp.fixture.ts";
import type { ToolQuestion } from "@deputy/tools";

type Answer = (params: Readonly<Record<string, unknown>>) => object;

async function serveAnswer(answer: Answer, more: object = {}) {
  return await serveByHand({
    "tools/list": () => ({ tools: [tool("get_price", more)] }),
    "tools/call": ({ arguments: args }) => answer(args as Readonly<Record<string, unknown>>),
  });
}

const SCHEMA = {
  inputSchema: {
    type: "object",
    properties: { item: { $ref: "#/$defs/item" } },
    required: ["item"],
    $defs: { item: { type: "string", minLength: 2 } },
  },
  outputSchema: { type: "object", properties: { price: { type: "number" } }, required: ["price"] },
};

test("[TM5] returns structured content, checked against the declared schema", async () => {
  const server = await serveAnswer(
    ({ item }) => ({
      content: [{ type: "text", text: "{}" }],
      structuredContent: item === "tea" ? { price: 3 } : { price: "a lot" },
    }),
    SCHEMA,
  );
  const shop = await openPinned(server.transports);
  expect(await shop.call("shop.get_price", { item: "tea" })).toEqual({ price: 3 });
  await expect(shop.call("shop.get_price", { item: "gold" })).rejects.toMatchObject({
    code: "invalid_output",
  });
  expect(shop.catalogue.declarations()).toContain("price: number");
});

test("[TM5] checks input by the pinned schema, with its own definitions, before sending anything", async () => {
  const server = await serveAnswer(() => ({ content: [] }), SCHEMA);
  const shop = await openPinned(server.transports);
  expect(shop.get("shop.get_price").parseInput({ item: "tea" })).toMatchObject({ kind: "ok" });
  expect(shop.get("shop.get_price").parseInput({ item: "t" })).toMatchObject({ kind: "invalid" });
  expect(shop.get("shop.get_price").parseInput(null)).toMatchObject({ kind: "invalid" });
});

test("[TM5] without a declared output, returns all text and other parts; images become attachments", async () => {
  const data = Buffer.from("an image").toString("base64");
  const server = await serveAnswer(() => ({
    content: [
      { type: "text", text: "one" },
      { type: "image", data, mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } },
      { type: "resource_link", uri: "file:///b.txt", name: "b" },
      { type: "text", text: "two" },
    ],
  }));
  const shop = await openPinned(server.transports);
  const others = [
    { type: "resource", uri: "file:///a.txt", mimeType: "text/plain", text: "a" },
    { type: "resource_link", uri: "file:///b.txt", name: "b" },
  ];
  const image = { type: "image", mimeType: "image/png", bytes: 8 };
  expect(await shop.call("shop.get_price")).toEqual({
    text: "one\ntwo",
    parts: [{ ...image, data }, ...others],
  });
  const attach = vi.fn(async () => ({ blobId: "blob" }));
  expect(await shop.call("shop.get_price", {}, { attach })).toMatchObject({
    parts: [{ ...image, blobId: "blob" }, ...others],
  });
  expect(attach).toHaveBeenCalledExactlyOnceWith({
    bytes: new Uint8Array(Buffer.from("an image")),
    mimeType: "image/png",
    name: "image.png",
  });
});

test("[TM5] a failure reported by the tool and a refusal by the server are failures with a code", async () => {
  let answer: object = { isError: true, content: [{ type: "text", text: "sold out" }] };
  const server = await serveAnswer(() => answer);
  const shop = await openPinned(server.transports);
  await expect(shop.call("shop.get_price")).rejects.toMatchObject({
    code: "mcp_failed",
    message: "sold out",
  });
  answer = { isError: true, content: [], structuredContent: { left: 0 } };
  await expect(shop.call("shop.get_price")).rejects.toMatchObject({ code: "mcp_failed", body: { left: 0 } });
  answer = { nonsense: true, content: "none" };
  await expect(shop.call("shop.get_price")).rejects.toMatchObject({ code: "mcp_invalid" });
});

/** A server that talks to its client before it answers, and waits for replies to its questions. */
async function serveTalk(said: readonly object[]) {
  const server = await serveByHand({
    "tools/list": () => ({ tools: [tool("get_price")] }),
    async "tools/call"({ _meta }, { id, response }) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const say = (message: object): void =>
        void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
      const { progressToken } = _meta as { progressToken: unknown };
      for (const one of said)
        say(
          "params" in one && !("id" in one)
            ? { ...one, params: { ...(one.params as object), progressToken } }
            : one,
        );
      if (said.some((one) => "id" in one)) await server.replied;
      say({ id, result: { content: [] } });
      response.end();
      return HANDLED;
    },
  });
  return server;
}

test("[TM8] reports progress no faster than a person can read", async () => {
  const steps = Array.from({ length: 1_000 }, (_, n) => ({
    method: "notifications/progress",
    params: { progress: n, total: 1_000, message: `step ${n}` },
  }));
  const server = await serveTalk(steps);
  const shop = await openPinned(server.transports);
  const progress = vi.fn();
  await shop.call("shop.get_price", {}, { progress });
  expect(progress.mock.calls[0]).toEqual(["step 0 (0 of 1000)"]);
  expect(progress.mock.calls.at(-1)).toEqual(["step 999 (999 of 1000)"]);
  expect(progress.mock.calls.length).toBeLessThan(100);
});

const FORM = {
  id: "q1",
  method: "elicitation/create",
  params: {
    message: "Which size?\u200b",
    requestedSchema: {
      type: "object",
      properties: { size: { type: "string", default: "m" }, count: { type: "integer", default: 1 } },
      required: ["size"],
    },
  },
};

test.each([
  [
    "a yes accepts what it proposes",
    { kind: "accepted" },
    { action: "accept", content: { size: "m", count: 1 } },
  ],
  [
    "values that the user gives go before",
    { kind: "accepted", value: { size: "xl" } },
    { action: "accept", content: { size: "xl", count: 1 } },
  ],
  ["values that do not fit decline", { kind: "accepted", value: { count: "many" } }, { action: "decline" }],
  ["a no declines", { kind: "declined", reason: "" }, { action: "decline" }],
] as const)(
  "[TM7] asks the user if a server asks something during a call: %s",
  async (_what, answer, expected) => {
    const server = await serveTalk([FORM]);
    const shop = await openPinned(server.transports);
    const questions: ToolQuestion[] = [];
    await shop.call(
      "shop.get_price",
      {},
      {
        ask: async (question) => {
          questions.push(question);
          return answer;
        },
      },
    );
    expect(questions).toMatchObject([
      { title: "shop asks you something", input: { message: FORM.params.message } },
    ]);
    const { details, form } = questions[0] ?? {};
    expect(details).toContain("Which size?\\u{200b}");
    expect(details).toContain('size: text; proposed: "m"\ncount: a whole number; proposed: 1');
    expect(form).toMatchObject({ schema: FORM.params.requestedSchema, proposed: { size: "m", count: 1 } });
    expect(server.replies).toMatchObject([{ result: expected }]);
  },
);

test("[TM7] shows a whole address and opens nothing; declines everything if nobody can be asked", async () => {
  const url = "https://example.org/sign?a=1";
  const params = { mode: "url", message: "Go there", url, elicitationId: "e" };
  const server = await serveTalk([{ ...FORM, params }]);
  const shop = await openPinned(server.transports);
  const ask = vi.fn(async () => ({ kind: "accepted" as const }));
  await shop.call("shop.get_price", {}, { ask });
  expect(ask.mock.calls).toMatchObject([[{ details: expect.stringContaining(url) }]]);
  const other = await serveTalk([FORM]);
  await (await openPinned(other.transports)).call("shop.get_price");
  expect(other.replies).toMatchObject([{ result: { action: "decline" } }]);
});

/** Refuses until the user has been at an address: by the error that MCP has for it. */
async function serveAddress(
  visits: number,
  address: object = { url: "https://example.org/connect\u200b?id=1" },
) {
  let refusals = 0;
  return await serveByHand({
    "tools/list": () => ({ tools: [tool("get_price")] }),
    "tools/call": (_params, { id, response }) => {
      if (refusals++ >= visits) return { content: [{ type: "text", text: "3" }] };
      const elicitations = [{ mode: "url", message: "Connect your account", elicitationId: "e", ...address }];
      const error = { code: -32_042, message: "A visit is needed", data: { elicitations } };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      return HANDLED;
    },
  });
}

test("[TM7] a call that is refused until the user has been at an address shows it, and is sent again after a yes", async () => {
  const server = await serveAddress(1);
  const shop = await openPinned(server.transports);
  const ask = vi.fn(async (_question: ToolQuestion) => ({ kind: "accepted" as const }));
  expect(await shop.call("shop.get_price", {}, { ask })).toMatchObject({ text: "3" });
  expect(ask.mock.calls).toMatchObject([[{ title: "shop asks you to open an address" }]]);
  expect(ask.mock.calls[0]?.[0].details).toContain("https://example.org/connect\\u{200b}?id=1");
});

test.each([
  ["a no", { kind: "declined" as const, reason: "" }, 1, undefined, "you said no"],
  ["nobody to ask", undefined, 1, undefined, "nobody can be asked"],
  ["a server that never has enough", { kind: "accepted" as const }, 100, undefined, "keeps asking"],
  ["an address that is none", { kind: "accepted" as const }, 1, { url: 5 }, "names none"],
])(
  "[TM7] a visit that does not come about fails the call: %s",
  async (_what, answer, visits, address, why) => {
    const shop = await openPinned((await serveAddress(visits, address)).transports);
    const ask = answer === undefined ? {} : { ask: async () => answer };
    await expect(shop.call("shop.get_price", {}, ask)).rejects.toMatchObject({
      code: "mcp_failed",
      message: expect.stringContaining(why),
    });
  },
);

test("[TM5] an argument that is required and has a default may be left out, and is sent", async () => {
  const inputSchema = {
    type: "object",
    properties: { unit: { type: "string", default: "c" } },
    required: ["unit"],
  };
  const server = await serveAnswer(({ unit }) => ({ content: [{ type: "text", text: String(unit) }] }), {
    inputSchema,
  });
  const shop = await openPinned(server.transports);
  expect(shop.get("shop.get_price").parseInput(null)).toEqual({ kind: "ok", input: { unit: "c" } });
  expect(shop.get("shop.get_price").parseInput({ unit: 5 })).toMatchObject({ kind: "invalid" });
});

test("[TM12] offers tools to read resources and prompts, if the server has them", async () => {
  const server = await serveByHand({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { resources: {}, prompts: {} },
      serverInfo: { name: "library", version: "1" },
    }),
    "resources/list": () => ({ resources: [{ uri: "book://1", name: "One" }] }),
    "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "book://{n}", name: "Any" }] }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: "Once upon a time" }] }),
    "prompts/list": () => ({ prompts: [{ name: "greet", arguments: [{ name: "who" }] }] }),
    "prompts/get": ({ arguments: args }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Hello ${(args as { who: string }).who}` } }],
    }),
  });
  const { catalogue, call } = await openPinned(server.transports);
  expect(
    catalogue.list().map(({ path, effect, approval, trust }) => [path, effect, approval, trust]),
  ).toEqual(
    ["prompts.get", "prompts.list", "resources.list", "resources.read"].map((name) => [
      `shop.${name}`,
      "read",
      "auto",
      "untrusted",
    ]),
  );
  expect(await call("shop.resources.list")).toMatchObject({
    resources: [{ uri: "book://1" }],
    templates: [{ uriTemplate: "book://{n}" }],
  });
  expect(await call("shop.resources.read", { uri: "book://1" })).toEqual([
    { uri: "book://1", text: "Once upon a time" },
  ]);
  expect(await call("shop.prompts.list")).toMatchObject({ prompts: [{ name: "greet" }] });
  expect(await call("shop.prompts.get", { name: "greet", arguments: { who: "you" } })).toMatchObject({
    messages: [{ content: { text: "Hello you" } }],
  });
});

test("[TM13] starts a new session if the server forgot it, and makes the call once", async () => {
  let sessions = 0;
  let calls = 0;
  const server = await serveByHand({
    initialize({ protocolVersion }, { id, response }) {
      sessions += 1;
      const result = {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      };
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": `s${sessions}` });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      return HANDLED;
    },
    "tools/list": () => ({ tools: [tool("buy", { description: "Buys" })] }),
    "tools/call"(_params, { request, response }) {
      if (request.headers["mcp-session-id"] !== `s${sessions}` || sessions < 3) {
        response.writeHead(404).end();
        return HANDLED;
      }
      calls += 1;
      return { content: [{ type: "text", text: "bought" }] };
    },
  });
  const shop = await openPinned(server.transports);
  expect(await shop.call("shop.buy")).toMatchObject({ text: "bought" });
  expect([sessions, calls]).toEqual([3, 1]);
});

test("[TM6] a change for which there was no connection has failed, and had no effect", async () => {
  const server = await serveByHand({
    "tools/list": () => ({ tools: [tool("get_price"), tool("set_price")] }),
    "tools/call": () => ({ content: [] }),
  });
  const shop = await openPinned(server.transports);
  await shop.call("shop.get_price");
  await server.close();
  await expect(shop.call("shop.set_price")).rejects.toMatchObject({
    code: "mcp_unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});
