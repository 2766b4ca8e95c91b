import { expect, test } from "vitest";
import type { Origin } from "../origins.ts";
import type { InputLeaf } from "./input-leaves.ts";
import { namesOfAnother } from "./names-of-another.ts";

const USER: Origin = { kind: "user" };
const named = (clue: string): Origin => ({ kind: "trusted", source: "practice.list", named: "whole", clue });

interface Call {
  readonly required?: readonly string[];
  /** Which arguments the user spoke of by their own noun. */
  readonly saidOf?: readonly string[];
}

/** Which arguments of a call have a word that the user said of another one. */
function taken(
  values: Readonly<Record<string, readonly [string, Origin]>>,
  { required = [], saidOf = [] }: Call = {},
): readonly string[] {
  const traced = Object.entries(values).map(([name, [value, origin]]) => {
    const leaf: InputLeaf = { path: name, argument: name, name, names: [name], value };
    return { leaf, origin };
  });
  const found = namesOfAnother(
    traced,
    ({ name }) => ({ name, toolPath: "practice.renew" }),
    { isRequired: (argument) => required.includes(argument) },
    { isSaidOf: (_, { name }) => saidOf.includes(name) },
  );
  return traced.filter((one) => found.has(one)).map(({ leaf }) => leaf.name);
}

test("[YP124] a word that told the record of one argument is no name for another one", () => {
  const record = ["R12", named("Snow Drops")] as const;
  expect(taken({ prescription_id: record, pharmacy: ["Snow Drops", USER] })).toEqual(["pharmacy"]);
  expect(taken({ prescription_id: record, pharmacy: ["Drops", USER] })).toEqual(["pharmacy"]);
  expect(taken({ pharmacy: ["snow", USER], prescription_id: record })).toEqual(["pharmacy"]);
  expect(taken({ prescription_id: record, pharmacy: ["Boots", USER] })).toEqual([]);
  expect(taken({ prescription_id: record, pharmacy: ["Drop", USER] })).toEqual([]);
  expect(taken({ prescription_id: ["R12", USER], pharmacy: ["Snow Drops", USER] })).toEqual([]);
});

test("[YP124] nor for what the user spoke of as well, for a text, for somebody, or of the same kind", () => {
  const record = ["R12", named("Snow Drops")] as const;
  const other = ["Snow Drops", USER] as const;
  expect(taken({ prescription_id: record, pharmacy: other }, { saidOf: ["pharmacy"] })).toEqual([]);
  expect(taken({ prescription_id: record, title: other })).toEqual([]);
  expect(taken({ prescription_id: record, patient: other })).toEqual([]);
  expect(taken({ prescription_id: record, prescription: other })).toEqual([]);
  expect(taken({ prescription_id: record, pharmacy: ["Snow Drops", { kind: "invented" }] })).toEqual([]);
});

test("[YP124] of two that have the same word, the one that must be given has it, else the first", () => {
  const both = { hotel: ["Aurora", USER], city: ["aurora", USER] } as const;
  expect(taken(both)).toEqual(["city"]);
  expect(taken(both, { required: ["hotel"] })).toEqual(["city"]);
  expect(taken(both, { required: ["city"] })).toEqual(["hotel"]);
  expect(taken(both, { required: ["city", "hotel"] })).toEqual(["city"]);
  expect(taken({ city: both.city, hotel: both.hotel })).toEqual(["hotel"]);
});
