import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSchemaCheck, withRequiredDefaults } from "./schema-check.ts";

const definitions = new Map<string, unknown>([
  ["#/Name", { type: "string", minLength: 2 }],
  [
    "#/Tree",
    {
      type: "object",
      properties: { next: { $ref: "#/Tree" }, id: { type: "integer", readOnly: true } },
      required: ["id"],
    },
  ],
]);
const check = createSchemaCheck((ref) => definitions.get(ref), "readOnly");

test.each<[unknown, unknown, readonly string[]]>([
  [{ type: "integer" }, 1.5, ["input: must be integer, not number"]],
  [{ type: ["string", "null"] }, 1, ["input: must be string or null, not number"]],
  [{ type: "string", nullable: true }, null, []],
  [{ enum: ["a", { b: 1 }] }, { b: 1 }, []],
  [{ enum: ["a", 1] }, "b", ['input: must be one of "a", 1']],
  [{ const: [1] }, [2], ["input: must be [1]"]],
  [{ minimum: 1, exclusiveMinimum: true }, 1, ["input: must be more than 1"]],
  [{ exclusiveMaximum: 3 }, 3, ["input: must be less than 3"]],
  [{ minimum: 1, maximum: 3 }, 4, ["input: must be at most 3"]],
  [{ maxLength: 2 }, "🦉🦉", []],
  [{ pattern: "^[a-z]+$" }, "a1", ["input: must match ^[a-z]+$"]],
  [{ pattern: "^(?=a)(?!b).*$" }, "zzz", []],
  [{ $ref: "#/Name" }, "a", ["input: must have at least 2 characters"]],
  [{ $ref: "#/Nowhere" }, "a", []],
  [{ $ref: "#/Tree" }, { next: { next: {} } }, []],
  [{ allOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: 1 }, ["b: is missing"]],
  [
    { anyOf: [{ type: "string" }, { type: "object", required: ["a", "b"] }] },
    {},
    ["input: must be string, not object"],
  ],
  [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, []],
  [
    { prefixItems: [{ type: "string" }], items: { type: "number" } },
    ["a", "b"],
    ["[1]: must be number, not string"],
  ],
  [{ maxItems: 1 }, [1, 2], ["input: must have at most 1 item"]],
  [
    { properties: { a: { items: { properties: { b: { type: "string" } } } } } },
    { a: [{ b: 1 }] },
    ["a[0].b: must be string, not number"],
  ],
  [{ additionalProperties: { type: "number" } }, { a: "x" }, ["a: must be number, not string"]],
  [
    { properties: { a: {} }, additionalProperties: false },
    { b: 1 },
    ["b: there is no such argument; there are a"],
  ],
  [
    { allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: {} } }] },
    { b: 1 },
    [],
  ],
  [false, 1, ["input: must not be there"]],
])("[JS1] %j of %j: %j", (schema, value, problems) => {
  expect(check(schema, value)).toEqual(problems);
});

test("[JS1] never refuses a value that another validator accepts, for any schema", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const leaf = fc.constantFrom<object>(
    { type: "string" },
    { type: "integer", minimum: 0 },
    { type: "boolean" },
    { enum: [1, "a", null] },
    { type: "null" },
    { type: "string", minLength: 1, pattern: "^a" },
    {},
  );
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(3) }),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { noNullPrototype: true }),
        required: fc.subarray(["a", "b"]),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      }),
    ),
  }));
  const value = fc.jsonValue({ depthSize: "small" });
  fc.assert(
    fc.property(
      schema,
      fc.oneof(value, fc.dictionary(fc.constantFrom("a", "b", "c"), value)),
      (one, json) => {
        if (ajv.validate(one, json)) expect(check(one, json)).toEqual([]);
        // It is milder only where several schemas forbid what the others name.
        else if (!JSON.stringify(one).includes('"allOf"') && !JSON.stringify(one).includes('"anyOf"'))
          expect(check(one, json)).not.toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

test("[JS2] what is required and has a default is filled in where it was left out, and nothing else", () => {
  const unit = {
    type: "object",
    properties: {
      unit: { type: "string", default: "c" },
      days: { type: "integer", default: 1 },
      at: { $ref: "#/At" },
      list: { type: "array", items: { $ref: "#/At" } },
    },
    required: ["unit"],
  };
  const at = {
    type: "object",
    properties: { zone: { default: null }, hour: {} },
    required: ["zone", "hour"],
  };
  const lookUp = (ref: string) => (ref === "#/At" ? at : undefined);
  const fill = (value: unknown) => withRequiredDefaults(lookUp, unit, value);
  expect(fill({})).toEqual({ unit: "c" });
  expect(fill({ unit: "f", at: { hour: 3 }, list: [{}, 5] })).toEqual({
    unit: "f",
    at: { hour: 3, zone: null },
    list: [{ zone: null }, 5],
  });
  expect(fill("text")).toBe("text");
  expect(withRequiredDefaults(lookUp, { allOf: [unit, { required: ["x"] }] }, {})).toEqual({ unit: "c" });
  const cyclic: Record<string, unknown> = { allOf: [] };
  (cyclic["allOf"] as unknown[]).push(cyclic);
  expect(withRequiredDefaults(lookUp, cyclic, { a: 1 })).toEqual({ a: 1 });
  // A hostile server's schema that names itself many times would otherwise take longer than anybody waits.
  const many: { [key: string]: unknown } = { properties: { a: { $ref: "#" } } };
  many["allOf"] = Array.from({ length: 8 }, () => ({ $ref: "#" }));
  const nested = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`) as unknown;
  expect(withRequiredDefaults(() => many, many, nested)).toEqual(nested);
  expect(createSchemaCheck(lookUp, "readOnly")(unit, fill({}))).toEqual([]);
});
