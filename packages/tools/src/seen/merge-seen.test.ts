import { expect, test } from "vitest";
import { mergeSeen, type SeenSchema } from "./seen-types.ts";

const seen = (...results: readonly unknown[]): SeenSchema | undefined =>
  results.reduce<SeenSchema | undefined>((before, result) => mergeSeen(before, result), undefined);

test("[T40] turns results into types: common fields are required, differences are unions", () => {
  expect(seen({ id: 1, title: "a" }, { id: "x", state: null })).toEqual({
    type: ["object"],
    properties: {
      id: { type: ["string", "number"] },
      state: { type: ["null"] },
      title: { type: ["string"] },
    },
    required: ["id"],
  });
  expect(seen([{ a: 1 }, { a: 1, b: [true] }])).toEqual({
    type: ["array"],
    items: {
      type: ["object"],
      properties: { a: { type: ["number"] }, b: { type: ["array"], items: { type: ["boolean"] } } },
      required: ["a"],
    },
  });
  expect(seen("text", 5, null)).toEqual({ type: ["string", "number", "null"] });
});

test("[T40] repeated results, and their order, change nothing", () => {
  const results = [{ a: 1 }, { a: "x", b: null }, { a: [1, "y"], c: { d: true } }];
  expect(seen(...results, ...results)).toEqual(seen(...results));
  expect(seen(...results.toReversed())).toEqual(seen(...results));
});

test("[T40] contains no value, nor a key that may be one", () => {
  const secret = "sk-live-4242424242424242";
  const results = [
    { token: secret, list: [secret], deep: { deeper: [{ key: secret }] } },
    { [secret]: 1 },
    { users: { U02ABCDEF: { name: "Ann" }, U02XYZ999: { name: "Bob" } } },
    { "ann@example.org": true },
    Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `key${String.fromCodePoint(97 + (n % 26))}${"x".repeat(n / 26)}`,
        n,
      ]),
    ),
  ];
  for (const result of results) {
    const text = JSON.stringify(seen(result));
    for (const value of [secret, "U02ABCDEF", "Ann", "ann@example.org", "keya"])
      expect(text).not.toContain(value);
  }
  expect(seen({ U02ABCDEF: { name: "Ann" }, U02XYZ999: { name: "Bob" } })).toEqual({
    type: ["object"],
    additionalProperties: {
      type: ["object"],
      properties: { name: { type: ["string"] } },
      required: ["name"],
    },
  });
});

test("[T40] deep, long and cyclic-looking results stay small", () => {
  let deep: unknown = 1;
  for (let n = 0; n < 1_000; n++) deep = { deep };
  const long = Array.from({ length: 100_000 }, (_, n) => ({ n, text: "x".repeat(10) }));
  expect(JSON.stringify(seen(deep)).length).toBeLessThan(2_000);
  expect(JSON.stringify(seen(long)).length).toBeLessThan(500);
});
