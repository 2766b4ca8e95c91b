import { expect, test } from "vitest";
import { documentOf, openTools, openWorld } from "./openapi.fixture.ts";

const TEXT = "a b/c?d=e&f#g%20+ü~'()*!;,:@$";
const VALUES = {
  text: TEXT,
  number: -1.5,
  yes: true,
  list: ["x y", "a,b", "1/2", "&=;|"],
  numbers: [1, 2, 3],
  object: { role: "a b", "first name": "Ü=1", n: 7 },
} as const;

const WHERE = [
  ["path", "simple"],
  ["path", "label"],
  ["path", "matrix"],
  ["query", "form"],
  ["query", "spaceDelimited"],
  ["query", "pipeDelimited"],
  ["query", "deepObject"],
  ["header", "simple"],
  ["cookie", "form"],
] as const;

/** What a style leaves open: no server could tell where an element ends. */
function isAmbiguous(place: string, style: string, explode: boolean, value: unknown): boolean {
  const isPlain = typeof value !== "object";
  if (style === "deepObject") return isPlain || Array.isArray(value);
  if (style.endsWith("Delimited") && (isPlain || (!explode && value === VALUES.list))) return true;
  if (style === "spaceDelimited" && !explode && value === VALUES.object) return true;
  // Header values are sent as they are.
  if (place === "header") return value === VALUES.list || value === VALUES.object || value === VALUES.text;
  return false;
}

const CASES = WHERE.flatMap(([place, style]) =>
  [true, false].flatMap((explode) =>
    Object.entries(VALUES)
      .filter(([, value]) => !isAmbiguous(place, style, explode, value))
      .map(([kind, value]) => ({ place, style, explode, kind, value })),
  ),
);

test.each(CASES)(
  "[TO3] $place, $style, explode $explode: $kind arrives as it was given",
  async ({ place, style, explode, value }) => {
    // The server takes this very value and no other.
    const parameter = {
      name: "the value",
      in: place,
      style,
      explode,
      required: true,
      schema: { const: value },
    };
    const path = place === "path" ? "/things/{the value}/end" : "/things";
    const name = place === "header" ? "X-Value" : "the value";
    const fitting = { ...parameter, name: place === "path" ? "the value" : name };
    const { call, server } = await openWorld(
      documentOf({ [path]: { get: { operationId: "find", parameters: [fitting] } } }),
    );
    expect(await call("find", { [name]: value })).toEqual({});
    expect(server.verdicts).toMatchObject([{ operation: `GET ${path}`, problems: [] }]);
  },
);

test("[TO3] sends a parameter with its own media type in that format", async () => {
  const value = { a: [1, { b: "x y" }], c: null };
  const content = { "application/json": { schema: { const: value } } };
  const { call } = await openWorld(
    documentOf({
      "/things/{id}": {
        get: {
          operationId: "find",
          parameters: ["path", "query", "header", "cookie"].map((place) => ({
            name: place === "path" ? "id" : `x-${place}`,
            in: place,
            required: true,
            content,
          })),
        },
      },
    }),
  );
  expect(await call("find", { id: value, "x-query": value, "x-header": value, "x-cookie": value })).toEqual(
    {},
  );
});

test("[TO3] allowReserved keeps reserved characters, except those that would end the value", async () => {
  const value = "a/b:c?d=e@[x],(y);z!$'*#&+ %";
  const { call, server } = await openWorld(
    documentOf({
      "/things": {
        get: {
          operationId: "find",
          parameters: [
            { name: "at", in: "query", allowReserved: true, required: true, schema: { const: value } },
            { name: "n", in: "query", required: true, schema: { const: 1 } },
          ],
        },
      },
    }),
  );
  expect(await call("find", { at: value, n: 1 })).toEqual({});
  expect(server.verdicts[0]?.request.target).toContain("at=a/b:c?d=e@[x],(y);z!$");
});

test("[TO3] deepObject nests objects, with lists of texts and of objects", async () => {
  const value = {
    state: "open",
    ids: ["1a", "2b"],
    range: { from: "x", to: "y" },
    parts: [{ n: "1x" }, { n: "2x" }],
  };
  const parameter = {
    name: "filter",
    in: "query",
    style: "deepObject",
    required: true,
    schema: { const: value },
  };
  const { call } = await openWorld(
    documentOf({ "/things": { get: { operationId: "find", parameters: [parameter] } } }),
  );
  expect(await call("find", { filter: value })).toEqual({});
});

test("[TO3] sends nothing for an absent value, null or an empty list", async () => {
  const parameters = ["a", "b", "c"].map((name) => ({ name, in: "query", schema: {} }));
  const { call, server } = await openWorld(
    documentOf({ "/things": { get: { operationId: "find", parameters } } }),
  );
  await call("find", { a: null, b: [] });
  expect(server.verdicts[0]?.request.target).toBe("/things");
});

test("[TO3] parameters with the same name get their place as a suffix; the operation's parameter overrides the path's", async () => {
  const at = (place: string, schema: object) => ({ name: "id", in: place, required: true, schema });
  const { call, tool, server } = await openWorld(
    documentOf({
      "/things/{id}": {
        parameters: [at("path", { type: "integer" }), at("query", { type: "boolean" })],
        post: {
          operationId: "find",
          parameters: [
            at("query", { type: "string" }),
            { name: "body", in: "query", schema: { type: "string" } },
            { name: "Authorization", in: "header", schema: { type: "string" } },
          ],
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        },
      },
    }),
  );
  expect(Object.keys(Object(Reflect.get(Object(tool("find").inputSchema), "properties")))).toEqual([
    "id",
    "id_query",
    "body_query",
    "body",
  ]);
  expect(await call("find", { id: 4, id_query: "x", body_query: "y", body: {} })).toEqual({});
  expect(server.verdicts[0]?.request.target).toBe("/things/4?id=x&body=y");
});

test("[TO3] writes lists in Swagger 2's own formats", async () => {
  const sent: URL[] = [];
  const door = (url: URL): Promise<Response> => {
    sent.push(url);
    return Promise.resolve(Response.json({}));
  };
  const list = (collectionFormat?: string) => ({
    type: "array",
    items: { type: "string" },
    collectionFormat,
  });
  const formats = ["csv", "ssv", "tsv", "pipes", "multi"];
  const { call } = openTools(
    {
      swagger: "2.0",
      info: {},
      host: "a.example",
      basePath: "/v1",
      paths: {
        "/x/{p}": {
          get: {
            operationId: "find",
            parameters: [
              { name: "p", in: "path", required: true, ...list("csv") },
              ...formats.map((format) => ({ name: format, in: "query", ...list(format) })),
              { name: "none", in: "query", ...list() },
            ],
          },
        },
      },
    },
    {},
    { named: door, others: door },
  );
  await call("find", {
    p: ["1", "2"],
    none: ["a", "b"],
    ...Object.fromEntries(formats.map((one) => [one, ["a", "b"]])),
  });
  expect(sent[0]?.href).toBe(
    "https://a.example/v1/x/1,2?csv=a,b&ssv=a%20b&tsv=a%09b&pipes=a%7Cb&multi=a&multi=b&none=a,b",
  );
});
