import { expect, test } from "vitest";
import { resultLeaves } from "../result-leaves.ts";
import { createKnownRecords } from "./known-records.ts";
import { createRows, type RowLeaf, withoutExtension, wordsIn } from "./rows.ts";

function read(toolPath: string, result: unknown): readonly RowLeaf[] {
  const leaves = resultLeaves(
    result,
    () => true,
    () => {},
  );
  return Array.from(leaves, (leaf) => ({ ...leaf, toolPath }));
}
function setup(...leaves: readonly (readonly RowLeaf[])[]) {
  const rows = createRows();
  for (const leaf of leaves.flat()) rows.add(leaf);
  return rows;
}
const files = read("drive.files", [
  { id: 1, name: "Thesis final.docx" },
  { id: 2, name: "Thesis notes.docx" },
]);
const [first] = files;
const isOnly = (rows: ReturnType<typeof createRows>, clue: string): boolean =>
  first !== undefined && rows.isOnlyFor(first, clue);

test("[YP20] a clue picks out a record if it fits no other of its kind", () => {
  const rows = setup(files);
  expect(isOnly(rows, "thesis final.docx")).toBe(true);
  expect(isOnly(rows, "thesis final")).toBe(true);
  expect(isOnly(rows, "final")).toBe(true);
  expect(isOnly(rows, "thesis")).toBe(false);
});

test("[YP20] things of another kind do not matter, the same thing read again neither", () => {
  const rows = setup(
    files,
    read("drive.users", [{ id: 9, name: "final" }]),
    read("drive.files", [{ id: 1, name: "Thesis final.docx", size: 7 }]),
  );
  expect(isOnly(rows, "final")).toBe(true);
  for (const leaf of read("drive.files", [{ id: 3, name: "final" }])) rows.add(leaf);
  expect(isOnly(rows, "final")).toBe(false);
});

test("[YP20] words of an address tell no names apart, but the user may have spoken of it", () => {
  const rows = setup(files, read("drive.files", [{ id: 3, name: "final@corp.example" }]));
  expect(isOnly(rows, "final")).toBe(true);
  rows.hear("corp");
  expect(rows.isSpokenOf(["file"])).toBe(true);
});

test("[YP22] the user speaks of a kind where a word fits one of its things, whichever came first", () => {
  const rows = createRows();
  rows.hear("notes");
  expect(rows.isSpokenOf(["file"])).toBe(false);
  for (const leaf of files) rows.add(leaf);
  expect(rows.isSpokenOf(["file"])).toBe(true);
  expect(rows.isSpokenOf(["user"])).toBe(false);
  const later = setup(files);
  later.hear("nothing");
  expect(later.isSpokenOf(["file"])).toBe(false);
  later.hear("notes");
  expect(later.isSpokenOf(["user", "file"])).toBe(true);
});

test("[YP20] the end of a file's name is no part of it, of an address it is", () => {
  expect(withoutExtension("thesis.docx")).toBe("thesis");
  expect(withoutExtension("v1.2")).toBe("v1.2");
  expect(withoutExtension("bob@x.org")).toBe("bob@x.org");
  expect(wordsIn("vacation-plans_v2")).toEqual(["vacation", "plans", "v2"]);
});

test("[YP16] records that are alike are kept once, texts are not compared", () => {
  const { firstAlike } = createKnownRecords();
  const record = (value: string) => ({
    fields: [{ value, name: "a", isVouched: true }],
    name: "",
    isTop: true,
  });
  const [one, other, long] = [record("x"), record("x"), record("y".repeat(2_001))];
  expect(firstAlike(one)).toBe(one);
  expect(firstAlike(other)).toBe(one);
  expect(firstAlike(other)).toBe(one);
  expect(firstAlike(record("z"))).not.toBe(one);
  expect(firstAlike(long)).toBe(long);
  expect(firstAlike({ ...long })).not.toBe(long);
});
