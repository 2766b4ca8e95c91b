import type { DeclaredTool, JsonSchema } from "@deputy/codemode";
import { expect, test } from "vitest";
import { briefTool } from "./brief-tool.ts";

const person = {
  type: "object",
  properties: { name: { type: "string" }, boss: { $ref: "#/schemas/Person" } },
};
const wide = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`field${n}`, { type: "string", description: "x".repeat(500) }]),
  ),
  required: ["field199"],
};
const tool = (inputSchema: JsonSchema, outputSchema: JsonSchema): DeclaredTool => ({
  path: "api.call",
  description: `Calls. ${"Much is said of it. ".repeat(100)}`,
  inputSchema,
  outputSchema,
  definitions: { name: "api", root: { schemas: { Person: person, Wide: wide } } },
});

test("[T42] shows a small tool unchanged", () => {
  const small: DeclaredTool = {
    path: "a.b",
    description: "Does",
    inputSchema: { type: "object", properties: { id: { type: "number" } } },
  };
  expect(briefTool(small)).toBe(small);
});

test("[T42] shows outer levels and required fields of a large one first, and marks what is cut", () => {
  const { inputSchema, description } = briefTool(tool({ $ref: "#/schemas/Wide" }, true));
  const { properties, required, description: about } = inputSchema as Record<string, object | string>;
  expect(Object.keys(properties as object)[0]).toBe("field199");
  expect(Object.keys(properties as object)).toHaveLength(40);
  expect(required).toEqual(["field199"]);
  expect(about).toBe("… and 160 more");
  expect(description.length).toBeLessThan(310);
});

test("[T42] follows references, ends cycles, and stays within a few kilobytes", () => {
  const brief = briefTool(
    tool({ $ref: "#/schemas/Wide" }, { type: "array", items: { $ref: "#/schemas/Person" } }),
  );
  expect(JSON.stringify(brief.outputSchema)).toContain('"boss":{"type":"object","properties":{"name"');
  expect(JSON.stringify(brief).length).toBeLessThan(12_000);
  expect(JSON.stringify(brief)).not.toContain("$ref");
});

test("[T42] leaves out what belongs to the other side of a call", () => {
  const sided = {
    type: "object",
    properties: { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
  };
  const brief = briefTool(tool(sided, sided));
  expect(JSON.stringify(brief.inputSchema)).not.toContain('"id"');
  expect(JSON.stringify(brief.outputSchema)).not.toContain('"secret"');
});
