import { expect, test } from "vitest";
import { formOf, meantBy, textOf } from "./form-fields.ts";

test("[JS4] each kind of schema gets its control, and whatever is not known is edited as text", () => {
  const kind = (schema: object) => formOf(schema as never).kind;
  expect(kind({ type: "boolean" })).toBe("switch");
  expect(kind({ type: "string", enum: ["a", "b"] })).toBe("choice");
  expect(formOf({ type: "integer", minimum: 1, maximum: 9_007_199_254_740_991 })).toEqual({
    kind: "number",
    isWhole: true,
    min: 1,
  });
  expect(kind({ type: "string", format: "uri", minLength: 1 })).toBe("text");
  expect(kind({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("text");
  expect(kind({ type: "array", items: { type: "string", pattern: "^x" } })).toBe("lines");
  expect(kind({ type: "boolean", const: true })).toBe("fixed");
  for (const schema of [
    {},
    { type: "object", properties: {} },
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
    { type: "string", somethingNew: true },
    { enum: ["a", 1] },
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    { $ref: "#/x" },
  ])
    expect(kind(schema)).toBe("raw");
});

test("[JS4] what is shown stands for the value it was made of", () => {
  const cases = [
    [{ type: "array", items: { type: "string" } }, ["a", "b c"]],
    [{ type: "integer" }, 12],
    [{ type: "string" }, "x"],
    [{ type: "object" }, { a: [1, null] }],
  ] as const;
  for (const [schema, value] of cases) {
    const form = formOf(schema);
    expect(meantBy(form, textOf(form, value))).toEqual({ kind: "value", value });
  }
  expect(meantBy({ kind: "text" }, " ")).toEqual({ kind: "nothing" });
  expect(meantBy({ kind: "number", isWhole: true }, "1x").kind).toBe("unreadable");
  expect(meantBy({ kind: "raw" }, "{").kind).toBe("unreadable");
});
