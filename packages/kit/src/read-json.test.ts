import { expect, test } from "vitest";
import { isRecord, parseJson, systemCodeOf } from "./index.ts";

test("[K42] what is not JSON is undefined, which no JSON is", () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(parseJson("null")).toBeNull();
  for (const text of ["", "undefined", "{", "[1,]", "'a'"]) expect(parseJson(text)).toBeUndefined();
});

test("[K42] a record is an object with names, not null and not a list", () => {
  expect([{}, { a: 1 }].every(isRecord)).toBe(true);
  expect([null, undefined, [], "a", 1, () => 1].some(isRecord)).toBe(false);
});

test("[K43] an error's code is read only from an error that has one", () => {
  expect(systemCodeOf(Object.assign(new Error("no file"), { code: "ENOENT" }))).toBe("ENOENT");
  expect(systemCodeOf(new Error("no file"))).toBeUndefined();
  expect(systemCodeOf({ code: "ENOENT" })).toBeUndefined();
});
