import { expect, test } from "vitest";
import { describeField } from "./describe-field.ts";

test.each<[unknown, boolean, string]>([
  [{ type: "integer", minimum: 1, maximum: 9 }, true, "f: a whole number, from 1 to 9; must be given"],
  [{ type: "number", minimum: 0.5 }, false, "f: a number, at least 0.5"],
  [{ type: "string", maxLength: 80 }, false, "f: text, at most 80 characters"],
  [
    { type: "string", format: "email", title: "Mail", description: "Yours" },
    true,
    "f: a mail address; must be given (Mail: Yours)",
  ],
  [{ type: "string", format: "hostname" }, false, "f: text"],
  [{ type: "boolean", default: false }, true, "f: true or false; proposed: false"],
  [
    { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
    false,
    'f: one of "r" (Red), "g" (Green)',
  ],
  [
    { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l" }] },
    true,
    'f: one of "s" (Small), "l"; must be given',
  ],
  [
    { type: "array", minItems: 1, items: { anyOf: [{ const: "tea", title: "Tea" }] }, default: ["tea"] },
    true,
    'f: a list of "tea" (Tea), at least 1 of them; proposed: ["tea"]',
  ],
  // What no form of MCP's has is shown as it is.
  [{ type: "object", properties: {} }, false, 'f: {"type":"object","properties":{}}'],
  [{ type: "array", items: { type: "string" } }, false, 'f: {"type":"array","items":{"type":"string"}}'],
  [{ oneOf: [{ type: "string" }] }, false, 'f: {"oneOf":[{"type":"string"}]}'],
  [7, true, "f: anything; must be given"],
])("[JS4] a field of a form is told in words: %j", (field, isRequired, words) => {
  expect(describeField("f", field, isRequired)).toBe(words);
});
