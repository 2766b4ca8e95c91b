import * as fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "@deputy/codemode";
import { expect, test } from "vitest";
import { z } from "zod";
import { sha256 } from "../agent.fixture.ts";
import { createMarkers } from "./markers.ts";
import { placeholderFor } from "./placeholder.ts";

const markers = () => createMarkers(sha256, "secret");
const made = (schema: z.ZodType, marks = markers()) => placeholderFor(z.toJSONSchema(schema), marks);

test("[A106] text, numbers and dates are marked, also joined, counted on, and in capitals", () => {
  const marks = markers();
  const value = made(
    z.object({
      id: z.number(),
      name: z.string(),
      at: z.iso.datetime(),
      on: z.iso.date(),
      mail: z.email(),
      link: z.url(),
    }),
    marks,
  ) as { id: number; name: string; at: string; on: string; mail: string; link: string };
  expect(Number.isSafeInteger(value.id)).toBe(true);
  const derived = [
    { n: value.id + 1 },
    { n: -value.id },
    { t: `issue #${value.id - 1}` },
    { t: `re: ${value.name.toUpperCase()}` },
    { [value.name]: 1 },
    { t: new Date(value.at).toISOString() },
    { t: value.on },
    { t: encodeURIComponent(value.link) },
    { t: value.mail },
  ];
  for (const input of derived) expect([input, marks.isIn(JSON.stringify(input))]).toEqual([input, true]);
  expect(marks.isIn(JSON.stringify({ n: 12, t: "unknown 2024-01-01 undefined NaN" }))).toBe(false);
});

test("[A106] what an absent value leaves in a text is recognised only once one was given out", () => {
  const marks = markers();
  expect(placeholderFor(undefined, marks)).toEqual({});
  for (const text of ["#undefined", "n NaN", "[object Object]"])
    expect([text, marks.isIn(JSON.stringify({ text }))]).toEqual([text, true]);
  expect(marks.isIn(JSON.stringify({ text: "finance, undefinedly" }))).toBe(false);
});

test("[A106] lists are empty, choices the first, nulls avoided, references followed, limits kept", () => {
  interface Tree {
    readonly name: string;
    readonly left: Tree | null;
  }
  const tree: z.ZodType<Tree> = z.object({
    name: z.string(),
    get left() {
      return tree.nullable();
    },
  });
  expect(made(z.object({ list: z.array(z.string()), two: z.array(z.literal(7)).min(2) }))).toEqual({
    list: [],
    two: [7, 7],
  });
  expect(made(z.object({ state: z.enum(["open", "closed"]), is: z.boolean(), no: z.null() }))).toEqual({
    state: "open",
    is: true,
    no: null,
  });
  expect(made(z.number().min(3).max(9))).toBe(3);
  expect(made(z.number().max(9))).toBe(9);
  expect(made(z.string().max(4))).toHaveLength(4);
  expect(made(z.union([z.null(), z.object({ a: z.literal(1) })]))).toEqual({ a: 1 });
  expect(made(z.intersection(z.object({ a: z.literal(1) }), z.object({ b: z.literal(2) })))).toEqual({
    a: 1,
    b: 2,
  });
  expect(made(z.tuple([z.literal(1), z.literal(2)]))).toEqual([1, 2]);
  expect(made(tree)).toMatchObject({ left: { left: { name: expect.stringContaining("unknown") } } });
});

test("[A106] what comes out fits the schema it was made from", () => {
  const ajv = new Ajv2020({ strict: false });
  const leaf = fc.constantFrom<z.ZodType>(
    z.string(),
    z.number(),
    z.boolean(),
    z.literal("x"),
    z.enum(["a", "b"]),
    z.number().int(),
    z.null(),
  );
  const { schema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      leaf,
      tie("schema").map((item) => z.array(item)),
      fc
        .dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie("schema"), { maxKeys: 4 })
        .map((shape) => z.object(shape)),
      fc.tuple(tie("schema"), tie("schema")).map((options) => z.union(options)),
      tie("schema").map((inner) => z.nullable(inner)),
    ),
  }));
  fc.assert(
    fc.property(schema, (one) => {
      const json = z.toJSONSchema(one);
      expect(ajv.validate(json, placeholderFor(json, markers()))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("[A106] whatever the schema, it ends: nonsense and loops included", () => {
  const loop = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } };
  const deep = { $ref: "#/$defs/a", $defs: { a: { properties: { x: { $ref: "#/$defs/a" } } } } };
  for (const schema of [loop, deep, true, false, { type: 7 }, { $ref: "elsewhere" }, { anyOf: [] }])
    expect(() => JSON.stringify(placeholderFor(schema as JsonSchema, markers()))).not.toThrow();
  fc.assert(
    fc.property(
      fc.object(),
      (schema) => void JSON.stringify(placeholderFor(schema as JsonSchema, markers())),
    ),
  );
});

const { text, date, integer } = markers();
const refTo = ($ref: string): JsonSchema => ({
  $ref,
  type: "boolean",
  $defs: { "a/b": { const: 1 }, "a~b": { const: 2 }, in: { ner: { const: 3 } }, list: [{ const: 4 }] },
});

test.each<[JsonSchema, unknown]>([
  [{ type: "string", format: "date-time" }, `${date}T00:00:00.000Z`],
  [{ type: "string", format: "date" }, date],
  [{ type: "string", format: "email" }, `${text}@example.invalid`],
  [{ type: "string", format: "uri" }, `https://example.invalid/${text}`],
  [{ type: "string", format: "url" }, `https://example.invalid/${text}`],
  [{ type: "string", format: "uuid" }, text],
  [{ type: "string", maxLength: "4" }, text],
  [{ type: "integer" }, integer],
  [{ type: "number", maximum: integer }, integer],
  [{ type: "number", minimum: 0, maximum: integer }, integer],
  [{ type: ["null", "boolean"] }, true],
  [{ type: [7, "boolean"] }, true],
  [{ type: ["null"] }, {}],
  [{ properties: { a: { const: 1 } } }, { a: 1 }],
  [{ enum: [null, "x"] }, "x"],
  [{ enum: [null] }, null],
  [{ anyOf: [{ const: null }, { type: "null" }, { const: 1 }] }, 1],
  [{ oneOf: [{ type: "null" }] }, null],
  [{ allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, { a: 1, b: 2 }],
  [
    { allOf: [{ properties: { a: { const: 1 } } }], properties: { b: { const: 2 } } },
    { a: 1, b: 2 },
  ],
  [{ allOf: [{ const: 1 }], properties: { b: { const: 2 } } }, 1],
  [{ type: "array", items: { const: 1 }, minItems: "2" }, []],
  [{ type: "array", prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 3 }, [1, 2, 2]],
  [refTo("#/$defs/a~1b"), 1],
  [refTo("#/$defs/a~0b"), 2],
  [refTo("#/$defs/in/ner"), 3],
  [refTo("#/$defs/list/0"), {}],
  [refTo("#/$defs/toString"), {}],
  [refTo("$defs/in/ner"), {}],
  [{ type: "array", minItems: 1, items: { $ref: "#" } }, nested(12)],
])("[A106] for %j it is %j", (schema, value) => {
  expect(placeholderFor(schema, markers())).toEqual(value);
});

/** Lists in lists as far as it goes, and then nothing that is known. */
function nested(deep: number): unknown {
  return deep < 0 ? {} : [nested(deep - 1)];
}

test("[A106] however a schema nests, it goes no deeper than a limit, and what is cut off counts as absent", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  for (const part of [{ properties: { x: { $ref: "#" } } }, { anyOf: [{ $ref: "#/$defs/a" }] }]) {
    const schema = "anyOf" in part ? { ...part, $defs: { a: { properties: { x: { $ref: "#" } } } } } : part;
    const marks = markers();
    expect(depthOf(placeholderFor(schema, marks))).toBeLessThanOrEqual(14);
    expect(marks.isIn('"undefined"')).toBe(true);
  }
  const marks = markers();
  placeholderFor({ type: "mystery" }, marks);
  expect(marks.isIn('"undefined"')).toBe(true);
});
