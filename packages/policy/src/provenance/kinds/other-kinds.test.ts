import { expect, test } from "vitest";
import { resultLeaves } from "../result-leaves.ts";
import { isCodeOfOther, isNameOfOther, takesThing } from "./other-kinds.ts";
import type { RowLeaf } from "./rows.ts";

/** What a tool gave, and where a value of it is to be used. */
function leavesOf(toolPath: string, result: unknown, isVouched = true): readonly RowLeaf[] {
  const leaves = resultLeaves(
    result,
    () => isVouched,
    () => {},
  );
  return Array.from(leaves, (leaf) => ({ ...leaf, toolPath }));
}

const named = (leaves: readonly RowLeaf[], value: string | number): readonly RowLeaf[] =>
  leaves.filter((leaf) => leaf.value === value);
const place = (name: string, toolPath = "practice.renew_prescription") => ({ name, toolPath });

test.each([
  ["Boots", "pharmacy", true],
  ["St. Mary's", "pharmacy", false],
  [" Boots ", "pharmacy", true],
  ["Anne-Marie O’Neil Old Shop", "pharmacy", true],
  ["one two three four five", "pharmacy", false],
  ["boots7", "pharmacy", false],
  ["7 Boots", "pharmacy", false],
  [7, "pharmacy", false],
  [true, "pharmacy", false],
  ["Boots", "title", false],
  ["Boots", "to", false],
  ["Lotte", "patient", false],
])("[YP124] %j names a thing in `%s`: %s; no text and nobody is one", (value, name, takes) => {
  expect(takesThing(value, place(name))).toBe(takes);
});

const drugs = leavesOf("practice.list_prescriptions", [{ prescription_id: "R12", drug: "Metformin" }]);

test("[YP124] a name that a source vouches for as one thing is none of another kind", () => {
  const known = named(drugs, "Metformin");
  expect(isNameOfOther("Metformin", place("pharmacy"), known)).toBe(true);
  expect(isNameOfOther("Metformin", place("drug"), known)).toBe(false);
  // Its record is a prescription.
  expect(isNameOfOther("Metformin", place("prescription"), known)).toBe(false);
  expect(isNameOfOther("Metformin", place("patient"), known)).toBe(false);
});

test("[YP124] nor where the name is one of both, or nobody vouches that it is anything", () => {
  const known = named(drugs, "Metformin");
  const shops = leavesOf("practice.list_pharmacies", [{ pharmacy: "Metformin" }]);
  expect(isNameOfOther("Metformin", place("pharmacy"), [...known, ...shops])).toBe(false);
  expect(isNameOfOther("Metformin", place("pharmacy"), [])).toBe(false);
  const written = leavesOf("web.fetch", [{ drug: "Metformin" }], false);
  expect(isNameOfOther("Metformin", place("pharmacy"), written)).toBe(false);
  const alone = leavesOf("practice.list_drugs", ["Metformin"]);
  expect(isNameOfOther("Metformin", place("pharmacy"), alone)).toBe(false);
});

test("[YP124] that something is in a service does not say what it is", () => {
  const title = leavesOf("drive.find", [{ title: "Boots", id: "Boots" }]);
  expect(isNameOfOther("Boots", place("pharmacy"), title)).toBe(false);
  const owned = leavesOf("drive.find", [{ drug: "Boots" }]);
  expect(isNameOfOther("Boots", place("pharmacy"), owned)).toBe(true);
  const folder = leavesOf("drive.list_folders", [{ title: "Boots" }]);
  expect(isNameOfOther("Boots", place("pharmacy"), folder)).toBe(true);
});

const requests = leavesOf("approvals.list_requests", [{ request_id: "AR-88", asked_by_id: "u7" }]);

test.each([
  ["AR-88", "user_id", true],
  ["#AR-88", "user_id", true],
  [" AR-88 ", "user_id", true],
  ["88a", "user_id", true],
  ["AR-88", "request_id", false],
  ["AR-88", "note", false],
  ["AR", "user_id", false],
  ["8-8", "user_id", false],
  [88, "user_id", false],
  ["AR-88.txt", "user_id", false],
  ["see AR-88", "user_id", false],
])("[YP137] the code %j of a request is nothing else in `%s`: %s", (value, name, isOther) => {
  const known = named(requests, "AR-88");
  expect(isCodeOfOther(value, place(name, "admin.reset"), known)).toBe(isOther);
});

test("[YP137] a code that stands in a record of another thing, or alone, or that nobody vouches for, may be anything", () => {
  const asked = place("user_id", "admin.reset");
  expect(isCodeOfOther("AR-88", asked, [])).toBe(false);
  expect(isCodeOfOther("u7", place("room_id", "admin.reset"), named(requests, "u7"))).toBe(false);
  const written = leavesOf("approvals.list_requests", [{ request_id: "AR-88" }], false);
  expect(isCodeOfOther("AR-88", asked, written)).toBe(false);
  expect(isCodeOfOther("AR-88", asked, leavesOf("approvals.list_requests", ["AR-88"]))).toBe(false);
  const users = leavesOf("admin.list_users", [{ user_id: "AR-88" }]);
  expect(isCodeOfOther("AR-88", asked, [...named(requests, "AR-88"), ...users])).toBe(false);
});

test("[YP137] somebody's code is whoever is asked for, and no room", () => {
  const members = leavesOf("hr.list_members", [{ member_id: "M7" }]);
  const isOther = (name: string, leaves = members) => isCodeOfOther("M7", place(name, "mail.send"), leaves);
  expect([isOther("to"), isOther("doctor_id"), isOther("room_id")]).toEqual([false, false, true]);
  const tasks = leavesOf("hr.list_tasks", [{ task_id: "M7" }]);
  expect([isOther("to", tasks), isOther("doctor_id", tasks)]).toEqual([true, true]);
});

test("[YP137] where only the service tells what is asked for, a code of that service may be meant", () => {
  const things = leavesOf("shop.list_orders", [{ order_id: "T13" }]);
  expect(isCodeOfOther("T13", place("id", "shop.delete"), things)).toBe(false);
  expect(isCodeOfOther("T13", place("id", "clinic.delete"), things)).toBe(true);
});
