import { expect, test } from "vitest";
import { documentOf, openTools, openWorld } from "./openapi.fixture.ts";
import type { HttpDoors } from "./request/http-doors.ts";
import { parseSpec } from "./spec/parse-spec.ts";

const plain = documentOf({ "/x": { get: { operationId: "x" }, post: { operationId: "make" } } });
const auth = { type: "bearer", token: () => "s3cret-of-the-user" } as const;

/** Answers by address, and keeps what it was asked with. */
function doorsTo(answers: Readonly<Record<string, () => Response>>) {
  const asked: {
    readonly by: string;
    readonly url: string;
    readonly method: string;
    readonly headers: Headers;
  }[] = [];
  const door =
    (by: string) =>
    (url: URL, init: RequestInit): Promise<Response> => {
      asked.push({ by, url: url.href, method: init.method ?? "", headers: new Headers(init.headers) });
      return Promise.resolve(answers[url.href]?.() ?? Response.json({}));
    };
  const doors: HttpDoors = { named: door("named"), others: door("others") };
  return { asked, doors };
}

const to =
  (location: string, status = 302) =>
  () =>
    new Response(null, { status, headers: { location } });

test.each(["..", ".", "", "../admin", "%2e%2e", "a/../../b"])(
  "[TO6] %j cannot lead a path elsewhere",
  async (id) => {
    const path = { name: "id", in: "path", required: true, schema: { type: "string" } };
    const { call, server } = await openWorld(
      documentOf({
        "/a/{id}/b": { get: { operationId: "x", parameters: [path] } },
        "/a/{+id}": { get: { operationId: "y", parameters: [path] } },
      }),
    );
    for (const operation of ["x", "y"]) {
      const error: unknown = await call(operation, { id }).catch((thrown: unknown) => thrown);
      if (error instanceof Error) expect(error).toMatchObject({ code: "request_invalid" });
    }
    for (const { request, operation } of server.verdicts) {
      expect(operation).toBeDefined();
      expect(request.target).not.toMatch(/\/\.\.?(?:\/|$)|%2e%2e|^\/a\/\/b$/);
    }
  },
);

test.each(["a\r\nX-Admin: 1", "a\0b", "☃"])(
  "[TO6] a header's value cannot bring another one: %j",
  async (value) => {
    const { call, server } = await openWorld(
      documentOf({
        "/x": { get: { operationId: "x", parameters: [{ name: "X-Note", in: "header", schema: {} }] } },
      }),
    );
    await expect(call("x", { "X-Note": value })).rejects.toMatchObject({ code: "request_invalid" });
    expect(server.verdicts).toEqual([]);
  },
);

test("[TO6] names that objects inherit are ordinary names", async () => {
  const parameters = ["__proto__", "constructor", "toString"].map((name) => ({
    name,
    in: "query",
    required: true,
    schema: { type: "string" },
  }));
  const { call, server, tool } = await openWorld(
    documentOf({ "/x": { get: { operationId: "x", parameters } } }),
  );
  expect(await tool("x").parseInput({})).toMatchObject({ kind: "invalid" });
  await call("x", JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'));
  expect(server.verdicts[0]?.request.target).toBe("/x?__proto__=a&constructor=b&toString=c");
});

test("[TO7] calls go only to the servers of the operation, its path or the document", async () => {
  const at = (url: string, more: object = {}) => [{ url, ...more }];
  const document = documentOf(
    {
      "/own": { get: { operationId: "own", servers: at("https://a.example/own") } },
      "/path": { servers: at("/below"), get: { operationId: "path" } },
      "/doc": { get: { operationId: "doc" } },
      "/else": { get: { operationId: "else", servers: at("https://evil.example") } },
      "/there": { get: { operationId: "there", servers: at("https://b.example") } },
    },
    {
      servers: at("https://{host}/v{n}", {
        variables: { host: { default: "a.example" }, n: { enum: ["2"] } },
      }),
    },
  );
  const { asked, doors } = doorsTo({});
  const { call } = openTools(document, { auth, origins: ["https://b.example"] }, doors);
  for (const name of ["own", "path", "doc", "there"]) await call(name);
  expect(asked.map(({ url }) => url)).toEqual([
    "https://a.example/own/own",
    "https://a.example/below/path",
    "https://a.example/v2/doc",
    "https://b.example/there",
  ]);
  await expect(call("else")).rejects.toMatchObject({
    code: "address_refused",
    hint: expect.stringContaining("origins"),
  });
  const moved = openTools(document, { server: "http://127.0.0.1:9/base/" }, doors);
  await moved.call("else");
  expect(asked.at(-1)?.url).toBe("http://127.0.0.1:9/base/else");
  expect(asked).toHaveLength(5);
});

test("[TO7] without a server, calls go to where the document came from, or the error says that the settings must name one", async () => {
  const { asked, doors } = doorsTo({});
  await openTools(plain, { location: new URL("https://a.example/docs/api.json") }, doors).call("x");
  const relative = { ...plain, servers: [{ url: "v1" }] };
  await openTools(relative, { location: new URL("https://a.example/docs/api.json") }, doors).call("x");
  expect(asked.map(({ url }) => url)).toEqual(["https://a.example/x", "https://a.example/docs/v1/x"]);
  const nowhere = openTools(plain, { location: new URL("file:///api.json") }, doors);
  await expect(nowhere.call("x")).rejects.toMatchObject({ code: "address_refused" });
});

test("[TO7] a document from an address cannot send calls into a private network; a file or the settings can", async () => {
  const inside = { ...plain, servers: [{ url: "http://192.168.0.1" }] };
  const { asked, doors } = doorsTo({});
  const foreign = openTools(inside, { location: new URL("https://a.example/api.json") }, doors);
  await expect(foreign.call("x")).rejects.toMatchObject({ code: "address_refused" });
  expect(asked).toEqual([]);
  await openTools(inside, { location: new URL("file:///api.json") }, doors).call("x");
  await openTools(
    inside,
    { location: new URL("https://a.example/api.json"), server: "http://192.168.0.1" },
    doors,
  ).call("x");
  expect(asked.map(({ by }) => by)).toEqual(["named", "named"]);
});

test("[TO12] a redirect within the origin keeps everything; a read follows one to another origin without credentials", async () => {
  const { asked, doors } = doorsTo({
    "https://a.example/x": to("/y"),
    "https://a.example/y": to("https://cdn.example/z"),
    "https://cdn.example/z": () => Response.json({ at: "cdn" }),
  });
  const { call } = openTools(
    plain,
    { server: "https://a.example", auth, headers: { "X-Team": "blue" } },
    doors,
  );
  expect(await call("x")).toEqual({ at: "cdn" });
  expect(asked.map(({ by, headers }) => [by, headers.get("authorization"), headers.get("x-team")])).toEqual([
    ["named", "Bearer s3cret-of-the-user", "blue"],
    ["named", "Bearer s3cret-of-the-user", "blue"],
    ["others", null, null],
  ]);
});

test.each([
  ["x", "http://127.0.0.1/", 302],
  ["x", "http://[::1]:8080/", 307],
  ["x", "https://169.254.169.254/latest", 301],
  ["x", "https://10.0.0.7/", 302],
  ["x", "https://localhost/", 302],
  ["x", "https://printer.local/", 302],
  ["x", "https://[::ffff:7f00:1]/", 302],
  ["x", "http://a.example/x", 302],
  ["x", "ftp://a.example/x", 302],
  ["x", "https://a.example/x", 302],
  ["make", "https://b.example/", 307],
  ["make", "https://b.example/", 308],
])("[TO12] %s redirected to %s by %i is refused", async (operation, location, status) => {
  const { asked, doors } = doorsTo({ "https://a.example/x": to(location, status) });
  const { call } = openTools(plain, { server: "https://a.example", auth }, doors);
  await expect(call(operation)).rejects.toMatchObject({ code: "address_refused" });
  expect(asked.every(({ url }) => url.startsWith("https://a.example/"))).toBe(true);
  expect(asked.length).toBeLessThan(8);
});

test("[TO12] a redirect after a change is followed with GET", async () => {
  const { asked, doors } = doorsTo({ "https://a.example/x": to("/made/1", 303) });
  await openTools(plain, { server: "https://a.example" }, doors).call("make");
  expect(asked.map(({ method, url }) => [method, url])).toEqual([
    ["POST", "https://a.example/x"],
    ["GET", "https://a.example/made/1"],
  ]);
});

test("[TO14] cuts off an endless answer at the limit, also if it is compressed", async () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }));
  const { doors } = doorsTo({ "https://a.example/x": endless });
  const { call } = openTools(plain, { server: "https://a.example", maxResponseBytes: 1_000_000 }, doors);
  await expect(call("x")).rejects.toMatchObject({ code: "response_too_large" });
  const refused = doorsTo({ "https://a.example/x": () => new Response(endless().body, { status: 500 }) });
  const failing = openTools(plain, { server: "https://a.example" }, refused.doors);
  await expect(failing.call("x")).rejects.toMatchObject({ code: "http_server_error" });
});

test.each(["[", '{"a":'])("[TO14] an answer of 100,000 times %j fails with a code", async (opening) => {
  const closing = opening === "[" ? "]" : "}";
  const nested = (levels: number): string => `${opening.repeat(levels)}0${closing.repeat(levels)}`;
  const answering = (levels: number, type: string, status = 200) =>
    openWorld(documentOf({ "/x": { get: { operationId: "x" } } }), {
      answer: () => new Response(nested(levels), { status, headers: { "content-type": type } }),
    });
  for (const type of ["application/json", "application/x-ndjson", ""]) {
    const { call } = await answering(100_000, type);
    await expect(call("x"), type).rejects.toMatchObject({ code: "response_invalid" });
  }
  const refusing = await answering(10_000, "application/json", 500);
  await expect(refusing.call("x")).rejects.toMatchObject({ code: "http_server_error" });
  const { call } = await answering(200, "application/json");
  expect(await call("x")).toEqual(JSON.parse(nested(200)));
});

test("[TO14] stopping a call ends it even if the server drips or does not answer", async () => {
  const dripping = doorsTo({
    "https://a.example/x": () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([91])) })),
  });
  const hanging: HttpDoors["named"] = (_url, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  for (const doors of [dripping.doors, { named: hanging, others: hanging }]) {
    const stop = new AbortController();
    const result = openTools(plain, { server: "https://a.example" }, doors).call("x", undefined, stop.signal);
    const ended = expect(result).rejects.toThrow("too late");
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error("too late"));
    await ended;
  }
});

test("[TO14] reports a server that is missing or disconnects; the outcome of a change is then unknown", async () => {
  const gone = openTools(plain, { server: "http://127.0.0.1:1" });
  await expect(gone.call("x")).rejects.toMatchObject({
    code: "http_unreachable",
    message: expect.not.stringContaining("took effect"),
  });
  await expect(gone.call("make")).rejects.toMatchObject({
    message: expect.stringContaining("whether it took effect is not known"),
  });
  const breaking = doorsTo({
    "https://a.example/x": () =>
      new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) })),
  });
  const broken = openTools(plain, { server: "https://a.example" }, breaking.doors);
  await expect(broken.call("x")).rejects.toMatchObject({
    code: "http_unreachable",
    message: expect.stringContaining("broke off"),
  });
});

test("[TO14] circular, endless or nonsensical schemas still give tools", async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `S${n}`,
      {
        allOf: [ref(`S${n + 1}`), ref(`S${n + 1}`)],
        properties: { a: ref(`S${n + 1}`), b: ref(`S${n + 1}`) },
      },
    ]),
  );
  const deep = JSON.parse(`${'{"items":'.repeat(3_000)}{}${"}".repeat(3_000)}`) as object;
  const bombs = [
    ref("Self"),
    ref("A"),
    ref("S0"),
    deep,
    ref("Nowhere"),
    { $ref: "https://evil.example/x" },
    { type: 7, enum: "x", required: 4, properties: [] },
  ];
  const document = documentOf(
    Object.fromEntries(
      bombs.map((schema, n) => [
        `/b${n}`,
        {
          post: {
            operationId: `b${n}`,
            requestBody: { required: true, content: { "application/json": { schema } } },
            responses: { 200: { content: { "application/json": { schema } } } },
          },
        },
      ]),
    ),
    {
      components: {
        schemas: { Self: ref("Self"), A: { anyOf: [ref("B"), ref("A")] }, B: ref("A"), ...wide },
      },
    },
  );
  const { catalogue } = openTools(document);
  expect(catalogue.list()).toHaveLength(bombs.length);
  expect(catalogue.declarations().length).toBeLessThan(200_000);
  for (const tool of catalogue.list()) {
    expect((await tool.parseInput({ body: { a: { b: {} }, b: [] } })).kind).toMatch(/ok|invalid/);
    expect(await tool.parseInput({})).toMatchObject({ kind: "invalid" });
    expect(JSON.stringify(tool.inputSchema)).toBeTypeOf("string");
  }
});

test("[TO14] a pattern cannot keep the check busy", async () => {
  const schema = { type: "string", pattern: "^(a+)+$" };
  const parameters = [{ name: "p", in: "query", schema }];
  const { tool } = openTools(documentOf({ "/x": { get: { operationId: "x", parameters } } }));
  expect(await tool("x").parseInput({ p: `${"a".repeat(5_000)}!` })).toMatchObject({ kind: "invalid" });
  expect(await tool("x").parseInput({ p: "aaa" })).toMatchObject({ kind: "ok" });
});

test.each([
  ["{", "spec_invalid"],
  ['{"openapi": "3.1.0",,}', "spec_invalid"],
  ["a: [1", "spec_invalid"],
  ["a: &a [*a]", "spec_invalid"],
  [
    `a: &a [1]\n${Array.from(
      { length: 12 },
      (_, n) =>
        `${"bcdefghijklm"[n] ?? ""}: &${"bcdefghijklm"[n] ?? ""} [${Array(9)
          .fill(`*${"abcdefghijklm"[n] ?? ""}`)
          .join(", ")}]`,
    ).join("\n")}`,
    "spec_invalid",
  ],
])("[TO14] a document that cannot be read (%#) is an error that says so", async (text, code) => {
  await expect(parseSpec(text)).rejects.toMatchObject({ code });
});

test("[TO1] JSON and YAML give the same tools", async () => {
  expect(
    await parseSpec(
      "\uFEFFopenapi: 3.1.0\npaths:\n  /x:\n    get:\n      responses: {200: {description: ok}}\n",
    ),
  ).toEqual(
    await parseSpec('{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"description":"ok"}}}}}}'),
  );
  expect(await parseSpec("{openapi: 3.1.0}")).toEqual({ openapi: "3.1.0" });
});
