import { afterAll, expect, test } from "vitest";
import type { JsonSchema } from "../json-schema.ts";
import { createNodeTypeChecker } from "../node/type-checker.ts";
import { refusedStatements } from "../test/refused-statements.ts";
import { emitDeclarations } from "./emit-declarations.ts";

const checker = createNodeTypeChecker();
afterAll(() => checker[Symbol.asyncDispose]());

/** Which of these arguments TypeScript refuses. */
async function refused(inputSchema: JsonSchema, values: readonly unknown[]): Promise<readonly unknown[]> {
  const declarations = emitDeclarations([{ path: "t", description: "", inputSchema }]);
  const calls = values.map((value) => `await tools.t(${JSON.stringify(value)});`);
  const found = await refusedStatements(checker, declarations, calls);
  return values.filter((_value, index) => found.has(index));
}

const field = (schema: unknown, required = true): JsonSchema => ({
  type: "object",
  properties: { f: schema },
  ...(required ? { required: ["f"] } : {}),
});

interface Case {
  readonly what: string;
  readonly schema: JsonSchema;
  readonly fits: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const tree = {
  $ref: "#/$defs/Tree",
  $defs: {
    Tree: {
      type: "object",
      properties: { value: { type: "integer" }, kids: { type: "array", items: { $ref: "#/$defs/Tree" } } },
      required: ["value", "kids"],
    },
  },
};
const mutual = {
  $ref: "#/definitions/Folder",
  definitions: {
    Folder: { type: "object", properties: { entries: { items: { $ref: "#/definitions/Entry" } } } },
    Entry: { oneOf: [{ $ref: "#/definitions/Folder" }, { type: "string" }] },
  },
};
const shape = {
  oneOf: [
    {
      type: "object",
      properties: { kind: { const: "circle" }, r: { type: "number" } },
      required: ["kind", "r"],
    },
    {
      type: "object",
      properties: { kind: { const: "box" }, w: { type: "number" } },
      required: ["kind", "w"],
    },
  ],
};

const cases: readonly Case[] = [
  {
    what: "[C2] a list of an enum",
    schema: field({ type: "array", items: { enum: ["open", "closed"] } }),
    fits: [{ f: [] }, { f: ["open", "closed"] }],
    wrong: [{ f: "open" }, { f: ["ajar"] }, { f: [["open"]] }, {}],
  },
  {
    what: "[C2] a list of a union, of lists",
    schema: field({
      items: { anyOf: [{ type: "string" }, { type: "array", items: { type: ["number", "null"] } }] },
    }),
    fits: [{ f: ["a", [1, null]] }, { f: [[]] }],
    wrong: [{ f: [1] }, { f: [["a"]] }, { f: null }],
  },
  {
    what: "[C3] names that need quotes, or that objects inherit",
    schema: {
      type: "object",
      properties: {
        "x-y": { type: "string" },
        constructor: { type: "string" },
        toString: { type: "number" },
      },
      required: ["x-y"],
    },
    fits: [{ "x-y": "a" }, { "x-y": "a", constructor: "b", toString: 1 }],
    wrong: [{ "x-y": "a", constructor: 1 }, { "x-y": "a", toString: "1" }, { constructor: "b" }],
  },
  {
    what: "[C3] a required property of an inherited name",
    schema: {
      type: "object",
      properties: { hasOwnProperty: { type: "boolean" }, valueOf: { type: "array" } },
      required: ["hasOwnProperty", "valueOf"],
    },
    fits: [{ hasOwnProperty: true, valueOf: [] }],
    wrong: [{ hasOwnProperty: true }, { valueOf: [] }, { hasOwnProperty: "x", valueOf: [] }, {}],
  },
  {
    what: "[C4] a recursive definition",
    schema: tree,
    fits: [{ value: 1, kids: [{ value: 2, kids: [] }] }],
    wrong: [{ value: 1 }, { value: 1, kids: [{ value: 2 }] }, { value: 1, kids: [{ value: "2", kids: [] }] }],
  },
  {
    what: "[C4] two definitions that need each other",
    schema: mutual,
    fits: [{ entries: ["a", { entries: ["b"] }] }, {}],
    wrong: [{ entries: [1] }, { entries: [{ entries: [{ entry: [] }] }] }],
  },
  {
    what: "[C6] alternatives with a discriminating constant",
    schema: field(shape),
    fits: [{ f: { kind: "circle", r: 1 } }, { f: { kind: "box", w: 1 } }],
    wrong: [{ f: { kind: "circle", w: 1 } }, { f: { kind: "ring", r: 1 } }, { f: {} }],
  },
  {
    what: "[C6] all of several",
    schema: {
      allOf: [field({ type: "string" }), { type: "object", properties: { g: { type: "number" } } }],
    },
    fits: [{ f: "a" }, { f: "a", g: 1 }],
    wrong: [{ g: 1 }, { f: "a", g: "1" }, { f: "a", h: 1 }],
  },
  {
    what: "[C6] one of several groups of required properties",
    schema: {
      type: "object",
      properties: { id: { type: "string" }, name: { type: "string" } },
      anyOf: [{ required: ["id"] }, { required: ["name"] }],
    },
    fits: [{ id: "1" }, { name: "n" }, { id: "1", name: "n" }],
    wrong: [{}, { id: 1 }],
  },
  {
    what: "[C6] nullable in three ways",
    schema: {
      type: "object",
      properties: {
        a: { type: ["string", "null"] },
        b: { type: "string", nullable: true },
        c: { anyOf: [{ $ref: "#/$defs/C" }, { type: "null" }] },
        d: { type: "string" },
      },
      $defs: { C: { type: "string" } },
    },
    fits: [
      { a: null, b: null, c: null },
      { a: "a", b: "b", c: "c", d: "d" },
    ],
    wrong: [{ d: null }, { a: 1 }, { b: 1 }, { c: 1 }],
  },
  {
    what: "[C6] literals of every kind",
    schema: field({ enum: ["a", 1, -1.5, true, null, { k: [1, "x"] }, {}] }),
    fits: [{ f: "a" }, { f: -1.5 }, { f: true }, { f: null }, { f: { k: [1, "x"] } }, { f: {} }],
    wrong: [
      { f: "b" },
      { f: 2 },
      { f: false },
      { f: { k: [1, "y"] } },
      { f: { k: [1] } },
      { f: [] },
      { f: { l: 1 } },
    ],
  },
  {
    what: "[C7] tuples of both drafts",
    schema: {
      type: "object",
      properties: {
        pair: { prefixItems: [{ type: "string" }, { enum: [1, 2] }], items: false },
        rest: { items: [{ type: "string" }], additionalItems: { type: "number" }, minItems: 1 },
      },
    },
    fits: [{ pair: ["a", 1] }, { rest: ["a"] }, { rest: ["a", 1, 2] }],
    wrong: [{ pair: ["a"] }, { pair: ["a", 3] }, { pair: ["a", 1, 1] }, { rest: [1] }, { rest: ["a", "b"] }],
  },
  {
    what: "[C7] maps, open and closed",
    schema: {
      type: "object",
      properties: {
        counts: { type: "object", additionalProperties: { type: "number" } },
        byDay: { propertyNames: { enum: ["mon", "tue"] }, additionalProperties: { type: "string" } },
        none: { type: "object", additionalProperties: false },
        any: { type: "object" },
      },
    },
    fits: [{ counts: { x: 1 } }, { byDay: { mon: "a" } }, { none: {} }, { any: { x: [{}] } }],
    wrong: [
      { counts: { x: "1" } },
      { counts: [1] },
      { byDay: { sun: "a" } },
      { byDay: { mon: 1 } },
      { none: { x: 1 } },
      { any: [] },
      { any: "x" },
    ],
  },
  {
    what: "[C7] a schema that accepts nothing",
    schema: field({ not: {} }, false),
    fits: [{}],
    wrong: [{ f: 1 }, { f: null }],
  },
  {
    what: "[C6] objects with only optional properties",
    schema: field({ type: "object", properties: { a: { type: "string" } } }),
    fits: [{ f: {} }, { f: { a: "x" } }],
    wrong: [{ f: { b: "x" } }, { f: "x" }, { f: 1 }, { f: [] }, { f: ["x"] }, { f: null }],
  },
];

test.each(cases)("$what: TypeScript accepts exactly what is valid", async ({ schema, fits, wrong }) => {
  expect(await refused(schema, [...fits, ...wrong])).toEqual(wrong);
});

test("[C3] a result's property that objects inherit is either its own or the inherited one", async () => {
  const declarations = emitDeclarations([
    {
      path: "t",
      description: "",
      inputSchema: {},
      outputSchema: { type: "object", properties: { constructor: { type: "string" } } },
    },
  ]);
  const check = (code: string) => checker.check({ code, declarations }, new AbortController().signal);
  const take = "const { constructor: c } = await tools.t();";
  expect(await check(`${take} return typeof c === "string" ? c.length : 0;`)).toEqual([]);
  expect(await check(`${take} return c?.trim();`)).toMatchObject([{ code: "TS2339" }]);
});
