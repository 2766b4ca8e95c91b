import { expect, test } from "vitest";
import { documentOf, openTools, openWorld } from "./openapi.fixture.ts";

const bodyOf = (mediaType: string, schema: object, encoding = {}) =>
  documentOf({
    "/things": {
      post: {
        operationId: "send",
        requestBody: { required: true, content: { [mediaType]: { schema, encoding } } },
      },
    },
  });

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

test.each([
  "application/json",
  "application/vnd.acme.v1+json",
  "application/json; charset=utf-8",
  "text/json",
])("[TO4] %s is sent as JSON, under that name", async (mediaType) => {
  const value = { a: [1, { b: "ü" }], "c d": null };
  const { call, server } = await openWorld(bodyOf(mediaType, { const: value }));
  expect(await call("send", { body: value })).toEqual({});
  expect(server.verdicts[0]?.request.headers.get("content-type")).toBe(mediaType);
});

test("[TO4] writes the fields of a form by their styles, and an object without a style as JSON", async () => {
  const value = {
    name: "a b&c=d",
    tags: ["x", "y z"],
    ids: ["1a", "2b"],
    deep: { a: "1x", b: { c: "ü" } },
    json: { a: 1 },
  };
  const encoding = { ids: { style: "form", explode: false }, deep: { style: "deepObject", explode: true } };
  const document = bodyOf("application/x-www-form-urlencoded", { const: value }, encoding);
  const { call, server } = await openWorld(document);
  expect(await call("send", { body: value })).toEqual({});
  expect(text(server.verdicts[0]?.request.body)).toBe(
    "name=a%20b%26c%3Dd&tags=x&tags=y%20z&ids=1a,2b&deep%5Ba%5D=1x&deep%5Bb%5D%5Bc%5D=%C3%BC&json=%7B%22a%22%3A1%7D",
  );
});

test("[TO4] parts of a form are text, JSON, or files with a name and a type", async () => {
  const schema = {
    type: "object",
    required: ["file"],
    properties: {
      title: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      about: { type: "object" },
      file: { type: "string", format: "binary" },
      more: { type: "array", items: { type: "string", format: "binary" } },
      note: { type: "string" },
    },
  };
  const encoding = { note: { contentType: "text/markdown" } };
  const received = Promise.withResolvers<FormData>();
  const sent = Promise.withResolvers<string>();
  const { call, tool } = await openWorld(bodyOf("multipart/form-data", schema, encoding), {
    answer: async ({ body, headers }) => {
      sent.resolve(text(body));
      received.resolve(await new Response(body, { headers }).formData());
      return Response.json({});
    },
  });
  expect(tool("send").parseInput({ body: { file: "plain" } })).toMatchObject({ kind: "invalid" });
  await call("send", {
    body: {
      title: "ü",
      tags: ["a", "b"],
      about: { n: 1 },
      file: { base64: btoa("\0\x01"), filename: "a.bin", mediaType: "application/x-a" },
      more: [{ text: "one" }, { text: "two", filename: "b.txt" }],
      note: "*hi*",
    },
  });
  const form = await received.promise;
  const shown = await Promise.all(
    [...form].map(async ([name, part]) =>
      typeof part === "string" ? [name, part] : [name, part.name, part.type, await part.text()],
    ),
  );
  expect(shown).toEqual([
    ["title", "ü"],
    ["tags", "a"],
    ["tags", "b"],
    ["about", '{"n":1}'],
    ["file", "a.bin", "application/x-a", "\0\x01"],
    ["more", "file", "application/octet-stream", "one"],
    ["more", "b.txt", "application/octet-stream", "two"],
    ["note", "*hi*"],
  ]);
  // Servers tell files from fields by the filename.
  const raw = await sent.promise;
  expect(raw).toContain('form-data; name="about"\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n');
  expect(raw).toContain('form-data; name="note"\r\nContent-Type: text/markdown\r\n\r\n*hi*\r\n');
  expect(raw).toContain('form-data; name="title"\r\n\r\n');
});

test("[TO6] no name, filename or type of a part can end its header", async () => {
  const schema = { type: "object", additionalProperties: true };
  const { call, server } = await openWorld(bodyOf("multipart/form-data", schema));
  const file = (more: object) => ({ body: { 'a"\r\nX-B: 1': { text: "t", ...more } } });
  await call("send", file({ filename: 'f"\r\nX-C: 2' }));
  const raw = text(server.verdicts[0]?.request.body);
  expect(raw).toContain('name="a%22%0D%0AX-B: 1"; filename="f%22%0D%0AX-C: 2"\r\n');
  expect(raw).not.toMatch(/^X-/m);
  await expect(call("send", file({ mediaType: "text/plain\r\nX-D: 3" }))).rejects.toMatchObject({
    code: "request_invalid",
  });
  expect(server.verdicts).toHaveLength(1);
});

test("[TO4] takes bytes in base64, and any other body that is not JSON as text", async () => {
  const bytes = await openWorld(bodyOf("image/png", { type: "string", format: "binary" }));
  await bytes.call("send", { body: btoa("\x89PNG\0") });
  expect([...(bytes.server.verdicts[0]?.request.body ?? [])]).toEqual([0x89, 0x50, 0x4e, 0x47, 0]);
  await expect(bytes.call("send", { body: "not base64!" })).rejects.toMatchObject({
    code: "request_invalid",
  });
  expect(bytes.server.verdicts).toHaveLength(1);

  const xml = await openWorld(bodyOf("application/xml", { type: "object" }));
  await xml.call("send", { body: "<a>ü</a>" });
  expect(text(xml.server.verdicts[0]?.request.body)).toBe("<a>ü</a>");
  const lines = await openWorld(bodyOf("application/x-ndjson", {}));
  await lines.call("send", { body: [{ a: 1 }, "b"] });
  expect(text(lines.server.verdicts[0]?.request.body)).toBe('{"a":1}\n"b"\n');
});

test("[TO4] chooses the media type that is easiest for a program to write", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const all = Object.fromEntries(
    ["image/png", "text/plain", "multipart/form-data", "application/json"].map((type) => [type, { schema }]),
  );
  const { tool } = openTools(
    documentOf({ "/x": { put: { operationId: "send", requestBody: { content: all } } } }),
  );
  expect(tool("send").inputSchema).toMatchObject({ properties: { body: schema }, required: [] });
});

test("[TO4] Swagger 2 has a body, or the fields of a form with files", async () => {
  const sent: RequestInit[] = [];
  const door = (_url: URL, init: RequestInit): Promise<Response> => {
    sent.push(init);
    return Promise.resolve(Response.json({}));
  };
  const field = (name: string, more: object) => ({ name, in: "formData", ...more });
  const { call, tool } = openTools(
    {
      swagger: "2.0",
      info: {},
      host: "a.example",
      paths: {
        "/a": {
          post: {
            operationId: "a",
            parameters: [{ name: "x", in: "body", required: true, schema: { type: "object" } }],
          },
        },
        "/b": {
          post: {
            operationId: "b",
            parameters: [
              field("n", { type: "integer", required: true }),
              field("l", { type: "array", collectionFormat: "multi" }),
            ],
          },
        },
        "/c": { post: { operationId: "c", parameters: [field("f", { type: "file", required: true })] } },
      },
    },
    {},
    { named: door, others: door },
  );
  await call("a", { body: { y: 1 } });
  await call("b", { body: { n: 1, l: ["p", "q"] } });
  await call("c", { body: { f: { text: "hello" } } });
  expect(sent.map(({ body }) => body)).toMatchObject(['{"y":1}', "n=1&l=p&l=q", expect.any(Uint8Array)]);
  expect(new Headers(sent[2]?.headers).get("content-type")).toMatch(/^multipart\/form-data; boundary=/);
  expect(tool("b").parseInput({ body: {} })).toEqual({ kind: "invalid", message: "body.n: is missing" });
});
