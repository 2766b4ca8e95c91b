import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { JsonSchema } from "../json-schema.ts";
import { createNodeTypeChecker } from "../node/type-checker.ts";
import { type DeclaredTool, emitDeclarations } from "./emit-declarations.ts";

const checker = createNodeTypeChecker();
afterAll(() => checker[Symbol.asyncDispose]());

/** TypeScript's diagnostics for the declarations themselves, which it does not check when it only uses them. */
async function problemsOf(tools: readonly DeclaredTool[]): Promise<readonly unknown[]> {
  const code = emitDeclarations(tools).replace(/^declare const tools/m, "let tools");
  return await checker.check({ code, declarations: "" }, new AbortController().signal);
}

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const schemas = fc.array(tie("schema"), { maxLength: 3 });
  const names = fc.constantFrom(
    "a",
    "b-c",
    "constructor",
    "__proto__",
    "",
    "*/",
    "\u202e",
    "d'e\"f",
    "toString",
    "1",
  );
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>(
        true,
        false,
        {},
        { type: "string" },
        { type: "integer" },
        { enum: ["x", 1, null] },
      ),
      fc
        .constantFrom("#", "#/$defs/P", "#/$defs/Q", "#/$defs/R", "#/properties/a", "http://x/y")
        .map(($ref) => ({ $ref })),
      fc.record(
        {
          type: fc.constantFrom<unknown>(
            "object",
            "array",
            "string",
            ["object", "null"],
            ["array", "string"],
            undefined,
            7,
          ),
          description: some(fc.constantFrom("plain", "*/ type X = 1", "a\n * b", "\u0000\u2028")),
          properties: some(fc.dictionary(names, tie("schema"), { maxKeys: 3, noNullPrototype: true })),
          required: some(fc.array(names, { maxLength: 2 })),
          additionalProperties: some(tie("schema")),
          patternProperties: some(fc.dictionary(names, tie("schema"), { maxKeys: 1, noNullPrototype: true })),
          items: some(fc.oneof(tie("schema"), schemas)),
          prefixItems: some(schemas),
          minItems: some(fc.nat(3)),
          anyOf: some(schemas),
          oneOf: some(schemas),
          allOf: some(schemas),
          nullable: some(fc.boolean()),
          const: some(fc.jsonValue({ maxDepth: 2 })),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

test("[C1] declarations of any schemas compile", async () => {
  const documents = fc
    .tuple(schema, schema, schema, schema)
    .map(([root, P, Q, R]) =>
      typeof root === "object" ? Object.assign({ $defs: { P, Q, R } }, root) : root,
    ) as fc.Arbitrary<JsonSchema>;
  const path = fc.constantFrom(
    "a",
    "a.b",
    "a-b",
    "class.new",
    "__proto__.x",
    "constructor",
    "a.b.toString",
    "x.1",
  );
  const tools = fc.array(
    fc.record({
      path,
      description: fc.string(),
      inputSchema: documents,
      outputSchema: documents,
      errors: fc.array(
        fc.record({
          status: fc.constantFrom("404", "422", "499", "4XX", "5xx", "default", "nonsense", "*/"),
          schema: documents,
        }),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(tools, async (all) => {
      expect(await problemsOf(all)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("[C1] a document with every feature compiles, and has the right types", async () => {
  const issue: JsonSchema = {
    type: "object",
    properties: {
      labels: { type: "array", items: { enum: ["bug", "idea"] } },
      parent: { anyOf: [{ $ref: "#" }, { type: "null" }] },
      "x-rank": { type: "integer" },
    },
    required: ["labels", "parent"],
  };
  const declarations = emitDeclarations([
    {
      path: "issues.list",
      description: "Lists",
      inputSchema: {},
      outputSchema: { type: "array", items: issue },
    },
    { path: "issues", description: "", inputSchema: issue },
  ]);
  const check = (code: string) => checker.check({ code, declarations }, new AbortController().signal);
  const right = `const all = await tools.issues.list();
    const bugs = all.filter((issue) => issue.labels.includes("bug")).map((issue) => issue["x-rank"] ?? 0);
    await tools.issues({ labels: ["idea"], parent: { labels: [], parent: null } });
    return bugs satisfies number[];`;
  expect(await check(right)).toEqual([]);
  expect(await check('await tools.issues({ labels: ["wrong"], parent: null })')).toMatchObject([
    { code: "TS2322" },
  ]);
  expect(await check("await tools.issues()")).toMatchObject([{ code: "TS2554" }]);
  expect(await check("tools.issues.list = 1 as never")).toMatchObject([{ code: "TS2540" }]);
});

test("[C78] a tool's declared errors are a type by its path, which the status narrows", async () => {
  const named = (name: string): JsonSchema => ({
    type: "object",
    properties: { [name]: { type: "string" } },
    required: [name],
  });
  const inputSchema = {};
  const declarations = emitDeclarations([
    {
      path: "shop.buy",
      description: "",
      inputSchema,
      errors: [
        { status: "404", schema: named("missing") },
        { status: "4XX", schema: named("reason") },
        { status: "503" },
      ],
    },
    {
      path: "shop.sell",
      description: "",
      inputSchema,
      errors: [
        { status: "409", schema: named("why") },
        { status: "default", schema: named("problem") },
      ],
    },
    { path: "shop.look", description: "", inputSchema, errors: [{ status: "404" }] },
  ]);
  const check = (path: string, code: string) => {
    const caught = `try { await tools.${path}() } catch (thrown) { const error = thrown as ToolErrors["${path}"]; ${code} }`;
    return checker.check({ code: caught, declarations }, new AbortController().signal);
  };
  for (const right of [
    "if (error.status === 404) return error.body?.missing satisfies string | undefined;",
    "if (error.status === 422) return error.body?.reason satisfies string | undefined;",
    "if (error.status === 500) return error.body satisfies unknown;",
    'if (error.status === undefined) return error.code === "denied";',
  ])
    expect(await check("shop.buy", right), right).toEqual([]);
  expect(await check("shop.sell", "if (error.status === 500) return error.body?.problem;")).toEqual([]);
  expect(await check("shop.sell", "if (error.status === 409) return error.body?.why;")).toEqual([]);
  expect(await check("shop.buy", "if (error.status === 404) return error.body?.reason;")).toMatchObject([
    { code: "TS2339" },
  ]);
  expect(await check("shop.buy", "if (error.status === 404) return error.body.missing;")).toMatchObject([
    { code: "TS18048" },
  ]);
  expect(await check("shop.sell", "if (error.status === 409) return error.body?.problem;")).toMatchObject([
    { code: "TS2339" },
  ]);
  // Its body is not declared, so it has the fields of every error.
  expect(await check("shop.look", "return error;")).toMatchObject([{ code: "TS2339" }]);
  const any = `try { await tools.shop.look() } catch (thrown) { const { code, status, body } = thrown as ToolError;
    return [code satisfies string, status satisfies number | undefined, body satisfies unknown]; }`;
  expect(await checker.check({ code: any, declarations }, new AbortController().signal)).toEqual([]);
});
