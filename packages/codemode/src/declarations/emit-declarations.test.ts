import { expect, test } from "vitest";
import type { JsonSchema } from "../json-schema.ts";
import { type DeclaredTool, emitDeclarations } from "./emit-declarations.ts";

const tool = (path: string, rest: Partial<DeclaredTool> = {}): DeclaredTool => ({
  path,
  description: "",
  inputSchema: { type: "object", additionalProperties: false },
  ...rest,
});

/** The type of one schema as it stands in a result, on one line, with the aliases before it. */
function typeOf(outputSchema: unknown): string {
  const text = emitDeclarations([tool("t", { outputSchema: outputSchema as JsonSchema })]);
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat
    .replace("declare const tools: { readonly t: (input?: { [key: string]: never }) => Promise<", "")
    .replace(/>; };$/, "");
}

test("[C2] an array's element has parentheses exactly where needed", () => {
  expect(typeOf({ type: "array", items: { enum: ["open", "closed"] } })).toBe('("open" | "closed")[]');
  expect(typeOf({ type: "array", items: { enum: ["open"] } })).toBe('"open"[]');
  expect(typeOf({ type: "array", items: { type: ["string", "null"] } })).toBe("(string | null)[]");
  expect(typeOf({ type: "array", items: { type: "string", nullable: true } })).toBe("(string | null)[]");
  expect(typeOf({ items: { allOf: [{ required: ["a"] }, { required: ["b"] }] } })).toBe(
    "({ a: unknown } & { b: unknown })[]",
  );
  expect(typeOf({ items: { type: "array", items: { anyOf: [{ type: "string" }, { const: 1 }] } } })).toBe(
    "(string | 1)[][]",
  );
});

test("[C2] a union inside an intersection has parentheses; an intersection inside a union has none", () => {
  const either = { anyOf: [{ type: "string" }, { type: "number" }] };
  expect(typeOf({ allOf: [either, { type: "string" }] })).toBe("(string | number) & string");
  expect(typeOf({ oneOf: [{ allOf: [{ required: ["a"] }, { required: ["b"] }] }, { type: "null" }] })).toBe(
    "{ a: unknown } & { b: unknown } | null",
  );
});

test("[C3] quotes awkward property names and strings, and makes them visible", () => {
  expect(typeOf({ properties: { "x-y": true, class: true, "1": true, "": true } })).toBe(
    '{ "1"?: unknown; "x-y"?: unknown; class?: unknown; ""?: unknown }',
  );
  expect(typeOf({ properties: { 'a"b': true, "\u202e\u200b": true } })).toBe(
    '{ "a\\"b"?: unknown; "\\u{202e}\\u{200b}"?: unknown }',
  );
  expect(
    typeOf(JSON.parse('{ "properties": { "__proto__": { "type": "string" } }, "required": ["__proto__"] }')),
  ).toBe("{ __proto__: string }");
  expect(typeOf({ enum: ["a\nb", "\u2028", "\ud800", "`${x}`"] })).toBe(
    '"a\\nb" | "\\u{2028}" | "\\ud800" | "`${x}`"',
  );
});

test("[C3] an optional property that every object inherits also accepts the inherited one", () => {
  expect(typeOf({ properties: { constructor: { type: "string" }, valueOf: true } })).toBe(
    '{ constructor?: string | Object["constructor"]; valueOf?: unknown }',
  );
  expect(typeOf({ properties: { toString: { type: "string" } }, required: ["toString"] })).toBe(
    "{ toString: string }",
  );
});

test("[C4] recursion uses named types, even if mutual or to the root", () => {
  const tree = {
    $ref: "#/$defs/Node",
    $defs: { Node: { properties: { kids: { items: { $ref: "#/$defs/Node" } } } } },
  };
  expect(typeOf(tree)).toBe("type T_Node = { kids?: T_Node[] }; T_Node");
  const mutual = {
    $ref: "#/definitions/a~1b",
    definitions: {
      "a/b": { properties: { c: { $ref: "#/definitions/c%20d" } } },
      "c d": { items: { $ref: "#/definitions/a~1b" } },
    },
  };
  expect(typeOf(mutual)).toBe("type T_AB = { c?: T_CD }; type T_CD = T_AB[]; T_AB");
  expect(typeOf({ properties: { up: { $ref: "#" } } })).toBe(
    "type T_Root = { up?: T_Root }; { up?: T_Root }",
  );
});

test("[C4] a reference that leads outside or nowhere is unknown", () => {
  for (const $ref of [
    "https://example.com/s.json",
    "other.json#/x",
    "#/$defs/none",
    "#nowhere",
    "#/$defs/__proto__",
  ]) {
    expect(typeOf({ $ref, $defs: { a: {} } })).toBe("unknown");
  }
  expect(typeOf({ $ref: "#here", $defs: { x: { $anchor: "here", type: "string" } } })).toBe(
    "type T_Here = string; T_Here",
  );
});

test("[C4] an alias that refers only to itself is unknown", () => {
  expect(typeOf({ $ref: "#" })).toBe("type T_Root = unknown; T_Root");
  const twins = { a: { $ref: "#/$defs/b" }, b: { anyOf: [{ $ref: "#/$defs/a" }, { type: "string" }] } };
  expect(typeOf({ $ref: "#/$defs/a", $defs: twins })).toBe("type T_A = T_B; type T_B = unknown; T_A");
  const guarded = {
    d: { allOf: [{ properties: { e: { $ref: "#/$defs/e" } } }, { $ref: "#/$defs/e" }] },
    e: { anyOf: [{ $ref: "#/$defs/d" }, { type: "null" }] },
  };
  expect(typeOf({ $ref: "#/$defs/d", $defs: guarded })).toBe(
    "type T_D = { e?: T_E } & T_E; type T_E = unknown; T_D",
  );
});

test("[C5] definitions with the same name never share an alias", () => {
  const schema = (type: string) => ({ $ref: "#/$defs/Item", $defs: { Item: { type } } });
  const text = emitDeclarations([
    tool("a.b", { inputSchema: schema("string"), outputSchema: schema("number") }),
    tool("a-b", { outputSchema: schema("boolean") }),
  ]);
  expect(text).toContain("type AB_Item = string;\ntype AB_Item_2 = number;\ntype AB_Item_3 = boolean;");
  const likeLibrary = { $ref: "#/$defs/Error", $defs: { Error: { type: "string" } } };
  expect(emitDeclarations([tool("aggregate", { outputSchema: likeLibrary })])).toContain(
    "type Aggregate_Error = string",
  );
});

test("[C6] handles combinators, literals and nullability", () => {
  expect(typeOf({ oneOf: [{ type: "string" }, { type: "integer" }, { type: "string" }] })).toBe(
    "string | number",
  );
  expect(typeOf({ anyOf: [{ type: "string" }, {}] })).toBe("unknown");
  expect(typeOf({ allOf: [{ type: "string" }, true] })).toBe("string");
  expect(typeOf({ enum: ["a", 1, -1.5, true, null, { k: [1, "x"] }, {}] })).toBe(
    '"a" | 1 | -1.5 | true | null | { k: [1, "x"] } | { [key: string]: never }',
  );
  expect(typeOf({ const: null })).toBe("null");
  expect(typeOf({ type: "object", const: {} })).toBe("{ [key: string]: never }");
  expect(typeOf({ enum: [] })).toBe("never");
  expect(typeOf({ nullable: true, allOf: [{ $ref: "#/$defs/A" }], $defs: { A: { type: "string" } } })).toBe(
    "type T_A = string; T_A | null",
  );
  const base = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
  expect(typeOf({ ...base, anyOf: [{ required: ["a"] }, { required: ["b"] }] })).toBe(
    "{ a?: string; b?: string } & ({ a: unknown } | { b: unknown })",
  );
  expect(typeOf({ type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] })).toBe(
    "{ a: unknown } | { b: unknown }",
  );
});

test("[C7] handles tuples of both kinds, maps, and schemas that are true or false", () => {
  expect(typeOf({ prefixItems: [{ type: "string" }, { enum: [1, 2] }], items: false })).toBe(
    "[string, 1 | 2]",
  );
  expect(typeOf({ items: [{ type: "string" }], additionalItems: { type: "number" } })).toBe(
    "[string, ...number[]]",
  );
  expect(typeOf({ prefixItems: [{}, { enum: [1, 2] }], minItems: 1 })).toBe(
    "[unknown, (1 | 2)?, ...unknown[]]",
  );
  expect(typeOf({ type: "object", additionalProperties: { type: "number" } })).toBe(
    "{ [key: string]: number }",
  );
  expect(typeOf({ properties: { a: { type: "string" } }, additionalProperties: { type: "number" } })).toBe(
    "{ a?: string; [key: string]: number | string | undefined }",
  );
  expect(typeOf({ patternProperties: { "^x": { type: "string" } }, additionalProperties: false })).toBe(
    "{ [key: string]: string }",
  );
  const record = {
    type: "object",
    propertyNames: { enum: ["a", "b"] },
    additionalProperties: { type: "number" },
    required: ["a"],
  };
  expect(typeOf(record)).toBe("{ a: number; b?: number }");
  expect(typeOf({ propertyNames: { const: "a" }, additionalProperties: { type: "number" } })).toBe(
    "{ a?: number }",
  );
  const numbers = { type: "object", additionalProperties: { type: "number" }, required: ["a"] };
  expect(typeOf(numbers)).toBe("{ a: number; [key: string]: number }");
  expect(typeOf({ ...numbers, additionalProperties: false })).toBe("{ a: unknown }");
  expect(typeOf({ type: "object" })).toBe("{ [key: string]: unknown }");
  expect(typeOf({ properties: { a: true, b: false }, required: ["a", "c"] })).toBe(
    "{ a: unknown; b?: never; c: unknown }",
  );
  expect([typeOf({ not: {} }), typeOf({ not: true }), typeOf({ not: { type: "string" } })]).toEqual([
    "never",
    "never",
    "unknown",
  ]);
  expect([typeOf(true), typeOf(false), typeOf({}), typeOf({ type: "array" })]).toEqual([
    "unknown",
    "never",
    "unknown",
    "unknown[]",
  ]);
});

test("[C8] keeps descriptions as comments that cannot end early or hide anything", () => {
  const text = emitDeclarations([
    tool("t", {
      description: "First */ line\r\nsecond\u202e line\u0007",
      inputSchema: { properties: { a: { description: "The a" }, b: { description: "/* ** */" } } },
    }),
  ]);
  expect(text).toContain(
    "  /**\n   * First *\\/ line\n   * second\\u{202e} line\\u{7}\n   */\n  readonly t:",
  );
  expect(text).toContain("    /** The a */\n    a?: unknown;\n    /** /* ** *\\/ */\n    b?: unknown;");
});

test("[C8] puts a definition's description before its type, at every depth", () => {
  const step = {
    description: "One\nstep",
    properties: { next: { description: "Then", $ref: "#/$defs/Step" } },
  };
  const text = emitDeclarations([
    tool("a.run", {
      outputSchema: {
        properties: { first: { properties: { step: { description: "Go", $ref: "#/$defs/Step" } } } },
        $defs: { Step: step },
      },
    }),
  ]);
  expect(text).toBe(`/**
 * One
 * step
 */
type ARun_Step = {
  /** Then */
  next?: ARun_Step;
};
declare const tools: {
  readonly a: {
    readonly run: (input?: { [key: string]: never }) => Promise<{
      first?: {
        /** Go */
        step?: ARun_Step;
      };
    }>;
  };
};
`);
});

test.each([
  ["a comment's end", "*/ declare const x: 1; /*"],
  ["an end made of two", "*\u200b/"],
  ["an end over two lines", "*\n/ x"],
  ["right-to-left text", "\u202e/* gnihton \u2066"],
  ["line separators", "a\u2028*/\u2029b"],
  ["other line ends", "a\u0085b\u000bc\u000cd\re"],
  ["tags and selectors", "\u{e0041}\u{e0101}\ufe01"],
  ["half a character", "\ud800"],
  ["a byte order mark", "\ufeffx"],
])("[C8] %s in a description leaves one visible comment", (_what, description) => {
  const said = { description, type: "string" } as const;
  const text = emitDeclarations([
    tool("t", {
      description,
      inputSchema: { properties: { p: { ...said, $ref: "#/$defs/D" } }, $defs: { D: said } },
    }),
  ]);
  expect(text).not.toMatch(/[^\n -~]/);
  const code = text.replaceAll(/\/\*\*[^]*?\*\//g, "").replaceAll(/\s+/g, " ");
  expect(code.trim()).toBe(
    "type T_D = string; declare const tools: { readonly t: (input?: { p?: string & T_D; }) => Promise<unknown>; };",
  );
});

test("[C9] paths become a tree; a tool may also be a namespace; all names are safe", () => {
  const text = emitDeclarations([
    tool("x.y"),
    tool("x"),
    tool("foo-bar.class"),
    tool("__proto__.constructor"),
    tool("a..b"),
  ]);
  const none = "(input?: { [key: string]: never })";
  expect(text).toBe(`declare const tools: {
  readonly x: {
    ${none}: Promise<unknown>;
    readonly y: ${none} => Promise<unknown>;
  };
  readonly "foo-bar": {
    readonly class: ${none} => Promise<unknown>;
  };
  readonly __proto__: {
    readonly constructor: ${none} => Promise<unknown>;
  };
  readonly a: {
    readonly "": {
      readonly b: ${none} => Promise<unknown>;
    };
  };
};
`);
  expect(emitDeclarations([])).toBe("declare const tools: {};\n");
});

test("[C10] the argument is optional exactly if an empty object is valid", () => {
  const isOptional = (inputSchema: unknown): boolean =>
    emitDeclarations([tool("t", { inputSchema: inputSchema as JsonSchema })]).includes("(input?:");
  const a = { properties: { a: {} } };
  for (const schema of [
    true,
    {},
    { type: "object" },
    a,
    { allOf: [a, a] },
    { anyOf: [{ required: ["a"] }, a] },
    { type: ["object", "null"] },
  ])
    expect(isOptional(schema), JSON.stringify(schema)).toBe(true);
  for (const schema of [
    false,
    { required: ["a"] },
    { type: "string" },
    { enum: [1] },
    { allOf: [a, { required: ["a"] }] },
    { anyOf: [{ required: ["a"] }] },
    { $ref: "#/$defs/r", $defs: { r: { required: ["a"] } } },
  ])
    expect(isOptional(schema), JSON.stringify(schema)).toBe(false);
});

test("[C11] endless, senseless and huge schemas still give types", () => {
  const loop: Record<string, unknown> = { type: "object" };
  loop["properties"] = { self: loop, twice: { items: loop } };
  expect(typeOf(loop).length).toBeLessThan(5_000_000);
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }]),
  );
  expect(typeOf({ $ref: "#/$defs/d0", $defs: chain })).toContain("type T_D19999 = unknown;");
  const names = Array.from({ length: 9_000 }, (_, n) => `d${8_999 - n}`);
  const backwards = {
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: chain,
  };
  expect(typeOf(backwards)).toContain("type T_D1 = ");
  let deep: unknown = {};
  for (let n = 0; n < 10_000; n++) deep = { items: deep };
  expect(typeOf(deep)).toContain("unknown[][]");
  for (const nonsense of [
    null,
    7,
    "x",
    [],
    { type: 5 },
    { type: ["?"] },
    { enum: 1 },
    { properties: [] },
    { required: "a" },
    { $ref: 1 },
  ])
    expect(() => typeOf(nonsense)).not.toThrow();
});

test("[C4] a tuple inside an intersection that refers back to it does not recurse forever", () => {
  const within = { prefixItems: [{ prefixItems: [{ $ref: "#" }] }], minItems: 0 };
  expect(typeOf({ ...within, allOf: [{ enum: ["x", 1] }] })).toContain("[[unknown, ...unknown[]]?");
});

test("[C77] a required argument with a default may be left out, and so may an input of nothing else", () => {
  const inputSchema = {
    type: "object",
    properties: { unit: { type: "string", default: "c" }, city: { type: "string" } },
    required: ["unit"],
  };
  const weather = { path: "a.b", description: "", inputSchema, outputSchema: inputSchema };
  expect(emitDeclarations([weather])).toMatch(
    /b: \(input\?: \{[^}]*unit\?: string;[^}]*\}\) => Promise<\{[^}]*unit: string;/,
  );
});

test("[C77] shared definitions get one name per side, and differ in fields that only one side sets", () => {
  const root = {
    shared: {
      Node: {
        type: "object",
        required: ["id", "secret"],
        properties: {
          id: { type: "integer", readOnly: true },
          secret: { type: "string", writeOnly: true },
          next: { $ref: "#/shared/Node" },
        },
      },
    },
  };
  const definitions = { name: "trees", root };
  const node = { $ref: "#/shared/Node" };
  const sharing = (path: string) => ({
    path,
    description: "",
    inputSchema: { type: "object", properties: { node }, required: ["node"] },
    outputSchema: { type: "array", items: node },
    definitions,
  });
  expect(emitDeclarations([sharing("a.b"), sharing("a.c")]))
    .toBe(`type TreesInput_Node = { id?: number; secret: string; next?: TreesInput_Node };
type Trees_Node = { id: number; secret?: string; next?: Trees_Node };
declare const tools: {
  readonly a: {
    readonly b: (input: { node: TreesInput_Node }) => Promise<Trees_Node[]>;
    readonly c: (input: { node: TreesInput_Node }) => Promise<Trees_Node[]>;
  };
};
`);
});
