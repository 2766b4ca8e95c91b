import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { JsonSchema } from "../json-schema.ts";
import { createNodeTypeChecker } from "../node/type-checker.ts";
import { refusedStatements } from "../test/refused-statements.ts";
import { emitDeclarations } from "./emit-declarations.ts";

const checker = createNodeTypeChecker();
afterAll(() => checker[Symbol.asyncDispose]());

type Plain = Readonly<Record<string, unknown>>;

const names = fc.constantFrom("a", "b-c", "class", " ", "é", "1");
const scalars = fc.constantFrom<Plain>(
  { type: "string" },
  { type: "integer" },
  { type: "boolean" },
  { type: ["string", "null"] },
  { enum: ["x", 1, null] },
  { const: "y" },
  { const: { k: [1] } },
);

function closed(properties: Plain, required: readonly string[]): Plain {
  const present = required.filter((name) => Object.hasOwn(properties, name));
  return { type: "object", properties, required: [...new Set(present)], additionalProperties: false };
}

/**
 * Schemas that TypeScript can express exactly: closed objects, full tuples, no bounds, unions of different
 * kinds.
 */
const { schema } = fc.letrec<{ schema: Plain }>((tie) => {
  const inner = tie("schema");
  const properties = fc.dictionary(names, inner, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const required = fc.uniqueArray(names, { maxLength: 3 });
  const object = fc.tuple(properties, required).map(([fields, needed]) => closed(fields, needed));
  const array = inner.map((items) => ({ type: "array", items }));
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalars,
      fc.constant({ $ref: "#/$defs/Tree" }),
      array,
      object,
      fc
        .tuple(inner, inner)
        .map((prefixItems) => ({ type: "array", prefixItems, items: false, minItems: 2 })),
      inner.map((additionalProperties) => ({ type: "object", additionalProperties })),
      fc.tuple(scalars, scalars, fc.oneof(array, object)).map((anyOf) => ({ anyOf })),
    ),
  };
});

const $defs = {
  Tree: closed({ kids: { type: "array", items: { $ref: "#/$defs/Tree" } }, name: { type: "string" } }, [
    "name",
  ]),
};

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>("x", "y", "z", 1, 2, true, null, { k: [1] }, { name: "n" }),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.oneof(names, fc.constantFrom("name", "kids")), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

/** A usually valid value: generated from the schema, sometimes with a part replaced. */
function fitting(node: Plain, pick: fc.GeneratorValue, depth = 0): unknown {
  const make = (part: unknown): unknown => fitting(part as Plain, pick, depth + 1);
  if (pick(fc.nat, { max: 11 }) === 0 || depth > 5) return pick(() => value);
  if (node["$ref"] !== undefined) return make($defs.Tree);
  if (Object.hasOwn(node, "const")) return node["const"];
  const choices = node["enum"] ?? node["anyOf"];
  if (Array.isArray(choices)) {
    const chosen: unknown = choices[pick(fc.nat, { max: choices.length - 1 })];
    return node["enum"] === undefined ? make(chosen) : chosen;
  }
  if (Array.isArray(node["prefixItems"])) return node["prefixItems"].map(make);
  if (node["type"] === "array") {
    return Array.from({ length: depth > 3 ? 0 : pick(fc.nat, { max: 2 }) }, () => make(node["items"]));
  }
  if (node["properties"] !== undefined) {
    const needed = node["required"] as readonly string[];
    const fields = Object.entries(node["properties"] as Plain).filter(
      ([name]) => needed.includes(name) || (depth < 4 && pick(fc.boolean)),
    );
    return Object.fromEntries(fields.map(([name, part]) => [name, make(part)]));
  }
  if (node["type"] === "object") return { any: make(node["additionalProperties"]) };
  return pick(() => fc.constantFrom<unknown>("x", 1, true, null));
}

test("[C12] accepts exactly the valid literals, where TypeScript can express the schema", async () => {
  const seen = { valid: 0, invalid: 0 };
  const inputs = fc.array(fc.tuple(schema, fc.gen()), { minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(inputs, async (all) => {
      const calls = all.map(([field, pick], index) => {
        const inputSchema: JsonSchema = { ...closed({ f: field }, ["f"]), $defs };
        const input = { f: fitting(field, pick) };
        const isValid = new Ajv2020({ strict: false, validateSchema: false }).validate(inputSchema, input);
        seen[isValid ? "valid" : "invalid"]++;
        return { path: `t${index}`, description: "", inputSchema, input, isValid };
      });
      const statements = calls.map(({ path, input }) => `await tools.${path}(${JSON.stringify(input)});`);
      const refused = await refusedStatements(checker, emitDeclarations(calls), statements);
      const disputed = calls.filter(({ isValid }, index) => isValid === refused.has(index));
      expect(disputed.map(({ inputSchema, input, isValid }) => ({ inputSchema, input, isValid }))).toEqual(
        [],
      );
    }),
    { numRuns: 80 },
  );
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
});
