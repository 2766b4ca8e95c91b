import { expect, test } from "vitest";
import { type ResultLeaf, resultLeaves } from "./result-leaves.ts";
import { vouchedBy } from "./vouched-by.ts";

function leavesOf(value: unknown, ...vouched: readonly string[]): readonly ResultLeaf[] {
  return [...resultLeaves(value, vouchedBy({ values: vouched }), () => undefined)];
}
/** The names of the fields that tell the record of each value from its neighbours. */
const tellingOf = (value: unknown): readonly unknown[] =>
  leavesOf(value).map(({ record }) => record?.fields.map(({ name }) => name));

test("[YP5] a value has the name nearest to it; one that stands alone has none, and no record", () => {
  expect(leavesOf("x")).toStrictEqual([{ value: "x", name: "", isVouched: false }]);
  expect(leavesOf(["x"])).toStrictEqual([{ value: "x", name: "", isVouched: false }]);
  expect(leavesOf({ ids: [[7]] }).map(({ name }) => name)).toEqual(["ids"]);
});

test("[YP15] every string and number counts; what has neither is passed over", () => {
  const values = leavesOf({ a: [1, { b: "x" }], c: true, d: null, e: undefined }).map(({ value }) => value);
  expect(values).toEqual([1, "x"]);
});

test("[YP15] every key is heard", () => {
  const keys: string[] = [];
  const hear = (key: string): number => keys.push(key);
  expect([...resultLeaves([{ a: { b: true } }], vouchedBy("untrusted"), hear)]).toEqual([]);
  expect(keys).toEqual(["a", "b"]);
});

test("[YP7] a record is an object's own strings and numbers, but for what all its neighbours share", () => {
  expect(tellingOf([{ id: 1, to: "x", more: { n: 2 }, flag: true }])).toEqual([
    ["id", "to"],
    ["id", "to"],
    ["n"],
  ]);
  expect(
    tellingOf([
      { to: "x", id: 1 },
      { to: "x", id: 2 },
    ]).toString(),
  ).toBe("id,id,id,id");
  expect(
    tellingOf([
      { to: "x", id: 1 },
      { to: "x", id: 2 },
      { to: "y", id: 3 },
    ]),
  ).toEqual(Array.from({ length: 6 }, () => ["to", "id"]));
});

test.each([[["x", { id: 1 }]], [[null, { id: 1 }]], [[{ id: 1 }, "x"]], [[{ id: 1 }, null]]])(
  "[YP7] among neighbours that are no objects, nothing is shared: %j",
  (value) => {
    expect(tellingOf(value)).toContainEqual(["id"]);
  },
);

test("[YP5] a pattern vouches for what lies at exactly its path, a star being any key or element", () => {
  const vouched = (value: unknown, ...patterns: readonly string[]): unknown =>
    leavesOf(value, ...patterns).flatMap((leaf) => (leaf.isVouched ? [leaf.value] : []));
  const result = { files: [{ id: 1, tags: ["x"] }], total: 2 };
  expect(vouched(result, "files.*.id")).toEqual([1]);
  expect(vouched(result, "files.*.tags.*", "total")).toEqual(["x", 2]);
  expect(vouched(result, "*")).toEqual([2]);
  expect(vouched(result, "files", "files.*", "files.*.id.more")).toEqual([]);
  expect(vouched({ a: { id: 1 }, b: { id: 2 } }, "*.id")).toEqual([1, 2]);
});
