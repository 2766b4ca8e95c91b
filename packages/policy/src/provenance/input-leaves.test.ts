import { expect, test } from "vitest";
import { readDeclaredInput } from "./declared-input.ts";
import { inputLeaves } from "./input-leaves.ts";

const all = (): boolean => true;

test("[YP12] a value is told with its path, its argument and the name nearest to it", () => {
  expect(inputLeaves({ to: [{ mail: "x", n: 1 }], flag: false }, all)).toEqual([
    { path: "to[0].mail", argument: "to", name: "mail", names: ["to", "mail"], value: "x" },
    { path: "to[0].n", argument: "to", name: "n", names: ["to", "n"], value: 1 },
    { path: "flag", argument: "flag", name: "flag", names: ["flag"], value: false },
  ]);
  expect(inputLeaves(["x"], all)).toEqual([{ path: "[0]", argument: "", name: "", names: [], value: "x" }]);
});

test.each([null, undefined, "", " \n", [], {}, { a: null, b: undefined, c: [""], d: { e: [] } }])(
  "[YP12] %j has no value",
  (input) => {
    expect(inputLeaves(input, all)).toEqual([]);
  },
);

test.each(['{"owner":"Ann","public":true}', "owner=Ann&public=true"])(
  "[YP126] what a text holds under names stands in it as anywhere: %s",
  (patch) => {
    const leaves = inputLeaves({ patch }, all);
    expect(leaves.map(({ path, name, value }) => [path, name, String(value)])).toEqual([
      ["patch.owner", "owner", "Ann"],
      ["patch.public", "public", "true"],
    ]);
  },
);

test.each([
  { text: '{"owner":"Ann"}' },
  { patch: "{owner: Ann}" },
  { patch: "[draft] plan" },
  { patch: "https://x.example/?a=1&b=2" },
  { patch: "17" },
])("[YP126] in a text for people, and of anything else, it is one value: %j", (input) => {
  expect(inputLeaves(input, all)).toHaveLength(1);
});

test("[YP126] what lies deep in it is left out, and the rest is found", () => {
  const deep = `${"[".repeat(9_000)}1${"]".repeat(9_000)}`;
  const leaves = inputLeaves({ patch: `{"owner":"Ann","pad":${deep}}` }, all);
  expect(leaves.map(({ value }) => value)).toEqual(["Ann", "…"]);
});

test("[YP12] declared are the names of properties, wherever in the schema; its other words are not", () => {
  const { isDeclared } = readDeclaredInput({
    type: "object",
    properties: { to: { items: { properties: { mail: { enum: ["x", null] } } } } },
    required: ["to"],
  });
  expect(["to", "mail"].map(isDeclared)).toEqual([true, true]);
  expect(["type", "properties", "items", "enum", "required", "x", "0"].map(isDeclared)).not.toContain(true);
});

test.each([undefined, null, "properties", { properties: null }, { properties: "ab" }])(
  "[YP12] a schema that says nothing declares nothing: %j",
  (schema) => {
    const { isDeclared, isDefault } = readDeclaredInput(schema);
    expect(["0", "properties", "to"].map(isDeclared)).toEqual([false, false, false]);
    expect(isDefault("to", "x")).toBe(false);
  },
);
