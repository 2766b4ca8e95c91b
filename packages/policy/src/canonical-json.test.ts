import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./index.ts";

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

test("[Y5] the order of keys does not matter", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
    }),
  );
});

test("[Y5] it is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
    }),
  );
});

test("[Y5] keys come in the order of their code units, without spaces; what is undefined is left out", () => {
  const value = { b: [1, { d: null, c: "x y" }], a: true, B: 0, gone: undefined };
  expect(canonicalJson(value)).toBe('{"B":0,"a":true,"b":[1,{"c":"x y","d":null}]}');
  expect(canonicalJson(undefined)).toBe("null");
});
