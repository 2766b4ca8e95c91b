import { expect, test } from "vitest";
import { findLostCalls, withLastValue } from "./last-value.ts";

/** What the program gives back, as the body of an async function. */
async function valueOf(code: string): Promise<unknown> {
  const body = withLastValue(code);
  const run = Reflect.construct(Object.getPrototypeOf(async () => undefined).constructor as typeof Function, [
    body,
  ]) as () => Promise<unknown>;
  return await run();
}

test.each([
  ["const a = 1;\na", 1],
  ["const a = 1;\na;\n// done\n", 1],
  ["const a = 1;\na // the value\n;", 1],
  ["({ a: 1 })", { a: 1 }],
  ["await Promise.resolve(3)", 3],
  ["async function main() { return 1; }\nmain();", 1],
  ["main();\nasync function main() { return 1; }", 1],
  ["async () => {\n  return 1;\n}", 1],
  ["async () => {\n  return 1;\n};", 1],
  ["(async function () { return 1; })", 1],
  ["(async () => 1)()", 1],
  ["if (false) return 1;\n2", 2],
  ["1, 2", 2],
  ["console.debug.length\n;async function shell() {}", 0],
])("[C80] %j gives its last value", async (code, expected) => {
  expect(await valueOf(code)).toEqual(expected);
});

test.each([
  ["const f = () => 1;\nf;"],
  ["10n ** 20n"],
  ["const o = {};\no.o = o;"],
  ["Symbol('a')"],
  ["'x'.repeat(5_000_000)"],
  ["undefined"],
])("[C80] %j has no value that could be a result, and does not fail", async (code) => {
  expect(await valueOf(code)).toBeUndefined();
});

test.each([
  ["return 1;"],
  ["const a = 1;"],
  ["for (const a of [1]) console.log(a);"],
  ["'use strict';"],
  ["if (true) { 1 }"],
  [""],
  ["const a = ;"],
  [`${"(".repeat(100_000)}1${")".repeat(100_000)}`],
])("[C80] code without a last value stays as it is", (code) => {
  expect(withLastValue(code)).toBe(code);
});

test("[C80] no line moves, and it changes nothing the second time", () => {
  const code = "const rows = [1, 2];\n\nrows\n  .map((n) => n * 2)\n  .filter(Boolean);\n";
  const changed = withLastValue(code);
  expect(changed.split("\n").length).toBe(code.split("\n").length);
  expect(withLastValue(changed)).toBe(changed);
});

test.each([
  ["tools.a.b({});\nreturn 1;", [{ line: 1, column: 1 }]],
  [
    "const x = 1;\n  tools.a({}); tools.b({});\nreturn x;",
    [
      { line: 2, column: 3 },
      { line: 2, column: 16 },
    ],
  ],
  ["await tools.a({});\ntools.b({});\nreturn 1;\nasync function f() { await 1; }", [{ line: 2, column: 1 }]],
  // It is awaited, may happen, or was meant so.
  ["tools.a({});", []],
  ["return 1;", []],
  ["tools.a({});\ntools.b({});", []],
  ["tools.a({});\nreturn tools.b({});", []],
  ["tools.a({});\nawait tools.b({});\nreturn 1;", []],
  ["const p = tools.a({});\nreturn p;", []],
  ["void tools.a({});\nreturn 1;", []],
  ["tools.a({}", []],
])("[C82] calls that certainly never run are found, with their place: %j", (code, places) => {
  expect(findLostCalls(code)).toEqual(places);
});
