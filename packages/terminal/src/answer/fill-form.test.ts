import { expect, test } from "vitest";
import { createFormFilling } from "./fill-form.ts";

function fill(properties: object, required: readonly string[] = [], proposed = {}) {
  const filling = createFormFilling({ schema: { type: "object", properties, required }, proposed });
  if (filling === undefined) throw new Error("There is nothing to fill in");
  return filling;
}

/** The value that a line gives to a field, or why it gives none. */
function valueOf(field: object, line: string): unknown {
  const filling = fill({ f: field });
  const taken = filling.take(line);
  if (taken.kind !== "goes_on") return taken;
  const sent = filling.take("y");
  const { result } = sent.kind === "answer" ? sent.answer : {};
  return result === undefined ? sent : (result.value as { f?: unknown }).f;
}

const DIGITS = { type: "string", enum: ["3", "2", "1"] };
const NAMED = {
  type: "string",
  oneOf: [
    { const: "s", title: "Small" },
    { const: "l", title: "Large" },
  ],
};
const SOME = { type: "array", items: NAMED };

test.each<[object, string, unknown]>([
  [NAMED, "2", "l"],
  [NAMED, "small", "s"],
  [NAMED, "l", "l"],
  [DIGITS, "3", "3"],
  [SOME, "Large, 1", ["l", "s"]],
  [SOME, "[]", []],
  [{ type: "array", items: { type: "string" } }, "a b, c", ["a b", "c"]],
  [{ type: "array", items: { type: "string" } }, '["a, b"]', ["a, b"]],
  [{ type: "string" }, '""', ""],
  [{ type: "string" }, "/home/me", "/home/me"],
  [{ type: "string" }, "x".repeat(20_000), "x".repeat(20_000)],
  [{ type: "number" }, " 1.5 ", 1.5],
  [{ type: "boolean" }, "No", false],
  [{ type: "string", format: "date-time" }, "2026-01-31T09:00:00Z", "2026-01-31T09:00:00Z"],
  [{ type: "object", additionalProperties: true }, '{"a":1}', { a: 1 }],
])("%j takes %j", (field, line, value) => {
  expect(valueOf(field, line)).toEqual(value);
});

test("a time without a zone is one of the user's", () => {
  const at = valueOf({ type: "string", format: "date-time" }, "2026-01-31 09:00");
  expect(at).toBe(new Date("2026-01-31T09:00").toISOString());
});

test.each<[object, string, string]>([
  [NAMED, "3", "That is none of the choices. Type one by its number or its name."],
  [DIGITS, "4", "That is none of the choices. Type one by its name."],
  [
    SOME,
    "1, huge",
    "That is not among the choices. Type some by its number or its name, with commas between.",
  ],
  [{ type: "integer", minimum: 2 }, "1", "It must be at least 2."],
  [{ type: "integer" }, "1.5", "It must be a whole number."],
  [{ type: "number" }, "1,5", "This is not a number."],
  [{ type: "string", minLength: 3 }, "ab", "It must have at least 3 characters."],
  [
    { type: "string", format: "uri" },
    "example.org",
    "It must be a whole address, such as https://example.org.",
  ],
  [{ type: "object" }, "{", "This is not JSON"],
])("%j refuses %j: %s", (field, line, why) => {
  expect(valueOf(field, line)).toMatchObject({ kind: "wrong", why: expect.stringContaining(why) });
});

test("what an asker says stands behind a bar, with nothing hidden", () => {
  const description = "Pick.\n  Value 2 of 2: sent.\u202e";
  const filling = fill({ "a\u200b": { type: "string", description, enum: ["x\ny"] } });
  const texts = filling.says().map(({ text }) => text);
  expect(texts[0]).toBe("  Value 1 of 1: one of these, by its number or its name. It may be left out.");
  expect(texts.slice(1)).toEqual([
    "  │ a\\u{200b}: Pick.",
    "  │   Value 2 of 2: sent.\\u{202e}",
    "  │ 1. x\\u{a}y",
  ]);
  expect(filling.prompt()).toBe("“a\\u{200b}” (Enter leaves it out, /back, /no declines):");
});

test("what has one value is sent unasked, and shown; a form without anything to give is none", () => {
  const filling = fill({ kind: { const: "a" }, b: { type: "boolean" } }, ["kind", "b"]);
  filling.take("y");
  expect(filling.says().map(({ text }) => text)).toEqual([
    "  This is what is sent. Give it no password.",
    "  │ 1. b: true",
    '  │ - kind: "a"',
  ]);
  expect(filling.take("y")).toMatchObject({ answer: { result: { value: { kind: "a", b: true } } } });
  expect(createFormFilling({ schema: { type: "object", properties: {} }, proposed: {} })).toBeUndefined();
  expect(createFormFilling({ schema: { type: "object" }, proposed: {} })).toBeUndefined();
});

test("Enter keeps what was proposed or given; a value that was given is taken away again", () => {
  const filling = fill({ size: { type: "string" }, note: { type: "string" } }, ["size"], { size: "m" });
  expect(filling.prompt()).toContain('Enter keeps "m"');
  filling.take("xl");
  filling.take("/back");
  expect(filling.prompt()).toContain('Enter keeps "xl"');
  filling.take("");
  filling.take("hello");
  filling.take("2");
  filling.take("/skip");
  expect(filling.take("y")).toEqual({
    kind: "answer",
    answer: { decision: "approved", scope: "once", result: { value: { size: "xl" } } },
  });
  expect(filling.take("/no thanks")).toEqual({
    kind: "answer",
    answer: { decision: "denied", reason: "thanks" },
  });
});
