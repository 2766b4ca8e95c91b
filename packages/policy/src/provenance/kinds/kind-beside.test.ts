import { expect, test } from "vitest";
import type { InputLeaf } from "../input-leaves.ts";
import { inputLeaves } from "../input-leaves.ts";
import { idPrefix, kindSaidBy } from "./kind-beside.ts";
import { readSelectors } from "./selectors.ts";

const saidBy = (fields: Readonly<Record<string, string | number | boolean>>, prefix?: string) =>
  kindSaidBy(
    Object.entries(fields).map(([name, value]) => ({ name, value })),
    prefix,
  );

test.each([
  [{ entity: "notice" }, "notice"],
  [{ objectType: "support_tickets" }, "ticket"],
  [{ resource: "late-sales-orders" }, "order"],
  [{ title: "Lost jacket", table: "rows", model: "pupil" }, "row"],
  [{ type: "file" }, "file"],
  [{ kind: "mails" }, "mail"],
])("[YP125] of what an id is one is said by %j", (fields, kind) => {
  expect(saidBy(fields)).toBe(kind);
});

test.each([
  ["a quality is no kind of thing", { type: "premium" }],
  ["a number is no word", { entity: 7 }],
  ["nor is yes or no", { entity: true }],
  ["nor is something with a number", { entity: "notice7" }],
  ["nor are several words", { entity: "lost jacket" }],
  ["nor is what begins with a sign", { entity: "_notice" }],
  ["nor are two letters", { entity: "ab" }],
  ["nor is a whole text", { entity: "a".repeat(31) }],
  ["a colour says nothing", { colour: "room" }],
  ["another id has its own", { target_type: "room", to_entity: "room" }],
] as const)("[YP125] not by anything else: %s", (_why, fields) => {
  expect(saidBy(fields)).toBeUndefined();
});

test("[YP125] a word is as long as words are", () => {
  expect(saidBy({ entity: "row" })).toBe("row");
  expect(saidBy({ entity: "a".repeat(30) })).toBe("a".repeat(30));
});

test("[YP125] an id with a prefix has the kind that is said with the same prefix, or in place of the prefix", () => {
  const fields = { entity: "notice", to_entity: "room", source_type: "premium", object: "pupil" };
  expect(saidBy(fields, "to")).toBe("room");
  expect(saidBy(fields, "source")).toBe("premium");
  expect(saidBy(fields, "object")).toBe("pupil");
  expect(saidBy(fields, "from")).toBeUndefined();
  expect(saidBy({ colour: "room", to_colour: "room" }, "to")).toBeUndefined();
});

test.each([
  ["key", ""],
  ["ID", ""],
  ["to_key", "to"],
  ["fromRecordId", "from_record"],
  ["room_id", undefined],
  ["to_room_id", undefined],
  ["id_format", undefined],
  ["name", undefined],
  ["to", undefined],
  ["", undefined],
])(
  "[YP125] what stands before the id in %j is %j: a name that says of what it is one needs no other",
  (name, prefix) => {
    expect(idPrefix(name)).toBe(prefix);
  },
);

test("[YP125] a kind is said in the same place as its id, and belongs to the tool's service", () => {
  const input = {
    entity: "notice",
    key: 7,
    name: "Hall",
    rows: [{ entity: "room", key: 13 }, { key: 14 }],
    more: { entity: true, key: 15 },
  };
  const leaves = inputLeaves(input, () => true);
  const { kindOf, idsOf } = readSelectors(leaves, "records.all.delete");
  const at = (path: string): InputLeaf => {
    const leaf = leaves.find((one) => one.path === path);
    if (leaf === undefined) throw new Error(`There is no ${path}`);
    return leaf;
  };
  const idsAt = (path: string): readonly string[] => idsOf(at(path)).map((leaf) => leaf.path);
  expect(kindOf(at("key"))).toBe("records.notice");
  expect(kindOf(at("rows[0].key"))).toBe("records.room");
  expect(kindOf(at("rows[1].key"))).toBeUndefined();
  expect(kindOf(at("more.key"))).toBeUndefined();
  expect(kindOf(at("name"))).toBeUndefined();
  expect(idsAt("entity")).toEqual(["key"]);
  expect(idsAt("rows[0].entity")).toEqual(["rows[0].key"]);
  expect(idsAt("more.entity")).toEqual([]);
  expect(idsAt("name")).toEqual([]);
});
