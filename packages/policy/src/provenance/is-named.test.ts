import { expect, test } from "vitest";
import { namingOf } from "./is-named.ts";
import type { ResultField } from "./result-leaves.ts";

/** A vouched id, in a record with one more field. */
function named(field: Omit<ResultField, "name">, ...said: readonly (string | number)[]): string | undefined {
  const leaf = { value: 7, name: "id", isVouched: true, record: { fields: [{ ...field, name: "subject" }] } };
  return namingOf([leaf], { says: (value) => said.includes(value), callsIt: (name) => said.includes(name) });
}
const long = (length: number): string => "rent ".padEnd(length, "x");

test("[YP7] a field of up to 120 characters is a name, a longer one a text", () => {
  expect(named({ value: long(120), isVouched: true }, "rent")).toBe("part");
  expect(named({ value: long(121), isVouched: true }, "rent")).toBeUndefined();
  expect(named({ value: long(120), isVouched: false }, long(120))).toBe("whole");
  expect(named({ value: long(121), isVouched: false }, long(121))).toBeUndefined();
});

test("[YP7] so it is of the value itself", () => {
  const own = (value: string | number): boolean =>
    namingOf([{ value, name: "", isVouched: true }], {
      says: (word) => word === "rent",
      callsIt: () => false,
    }) !== undefined;
  expect([long(120), long(121), "the rent.", "ren", "7", 7].map(own)).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("[YP7] whole numbers below ten tell nothing", () => {
  const tells = (value: number): boolean => named({ value, isVouched: true }, value) !== undefined;
  expect([9, 10, -9, -10, 0.5].map(tells)).toEqual([false, true, false, true, true]);
});
