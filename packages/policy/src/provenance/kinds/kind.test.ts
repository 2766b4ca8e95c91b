import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isDistinctive,
  isIdLike,
  isIdName,
  isPerhapsSameKind,
  isSameKind,
  kindOfArgument,
  kindOfField,
  kindOfRecord,
  readDeclaredKind,
  singularOf,
  wordsForKind,
} from "./kind.ts";

const headsOf = (name: string, toolPath: string): readonly string[] =>
  kindOfArgument({ name, toolPath }).heads;

test.each([
  ["file_id", "drive.remove", ["file"]],
  ["fileIds", "drive.remove", ["file"]],
  ["id", "drive.remove_file", ["file"]],
  ["id", "drive.files.remove", ["file"]],
  ["number", "tracker.close_issue", ["issue"]],
  ["id", "shop.orders", ["order"]],
  ["id", "drive.remove", ["drive"]],
  ["id", "remove", ["remove"]],
  ["id", "calendar.get_events_by_day", ["event"]],
  ["recipient_of_mail", "mail.send", ["recipient"]],
  ["box2", "store.open", ["box2"]],
])("[YP20] what %s of %s names is of the kind %j", (name, toolPath, heads) => {
  expect(headsOf(name, toolPath)).toEqual(heads);
});

test("[YP20] the author's word counts before any name", () => {
  const place = { name: "target", toolPath: "vault.wipe", declared: "drive.files" };
  expect(kindOfArgument(place)).toEqual({ heads: ["file"], space: "drive", states: [], isVague: false });
  expect(readDeclaredKind("File")).toEqual({ heads: ["file"], space: "", states: [], isVague: false });
});

test("[YP20] a field names what its own words say, else its record, else what the tool is about", () => {
  const at = { toolPath: "mail.search_mails", recordName: "", isTop: true };
  expect(kindOfField({ ...at, name: "id" }).heads).toEqual(["mail"]);
  expect(kindOfField({ ...at, name: "id", recordName: "messages" }).heads).toEqual(["message", "mail"]);
  expect(kindOfField({ ...at, name: "id", recordName: "attachment", isTop: false }).heads).toEqual([
    "attachment",
  ]);
  expect(kindOfField({ ...at, name: "author_id" }).heads).toEqual(["author"]);
  expect(kindOfRecord({ ...at, recordName: "messages" }).heads).toEqual(["message", "mail"]);
});

test("[YP20] a kind is that of one service; what the tool says of it besides counts, too", () => {
  const arg = (name: string, toolPath: string) => kindOfArgument({ name, toolPath });
  expect(isSameKind(arg("file_id", "drive.get"), arg("file_id", "drive.remove"))).toBe(true);
  expect(isSameKind(arg("file_id", "box.get"), arg("file_id", "drive.remove"))).toBe(false);
  expect(isSameKind(readDeclaredKind("file"), arg("file_id", "drive.remove"))).toBe(true);
  expect(isSameKind(arg("event_id", "drive.get"), arg("file_id", "drive.remove"))).toBe(false);
  const scheduled = arg("id", "bank.update_scheduled_payment");
  expect(
    isSameKind(kindOfRecord({ toolPath: "bank.get_payments", recordName: "", isTop: true }), scheduled),
  ).toBe(false);
  expect(
    isSameKind(
      kindOfRecord({ toolPath: "bank.get_scheduled_payments", recordName: "", isTop: true }),
      scheduled,
    ),
  ).toBe(true);
});

test("[YP20] where only the service's name tells, it may be any kind of that service", () => {
  const found = kindOfRecord({ toolPath: "drive.find", recordName: "", isTop: true });
  const file = (toolPath: string) => kindOfArgument({ name: "file_id", toolPath });
  expect(isSameKind(found, file("drive.remove"))).toBe(false);
  expect(isPerhapsSameKind(found, file("drive.remove"))).toBe(true);
  expect(isPerhapsSameKind(found, file("box.remove"))).toBe(false);
  expect(isPerhapsSameKind(file("drive.get"), file("drive.remove"))).toBe(false);
});

test("[YP20] people have several words for a kind", () => {
  expect(wordsForKind({ heads: ["file"] })).toEqual(expect.arrayContaining(["file", "document"]));
  expect(wordsForKind({ heads: ["zebra"] })).toEqual(["zebra"]);
});

test.each([
  [13, "file_id", true],
  [13, "file", true],
  ["13", "file", true],
  ["#13", "issue", true],
  ["a7", "room", true],
  ["f-00ab", "file_id", true],
  [13, "amount", false],
  ["13", "max_results", false],
  [13, "amount_id", true],
  [1.5, "file_id", false],
  ["general", "channel_id", false],
  ["abcd7", "room", false],
  ["2024-05-17", "event_id", false],
  ["the id 13", "file_id", false],
  ["", "file_id", false],
  [true, "file_id", false],
] as const)("[YP20] that %j under %s only points to a thing: %s", (value, name, isId) => {
  expect(isIdLike(value, name)).toBe(isId);
});

test("[YP20] only a value that is not in texts by chance means one thing by itself", () => {
  const isOne = (value: string | number): boolean => isDistinctive(value, "account");
  expect([1234567, "#1234567", "bob@x.org", "INV-2024", "plan.txt", "a_long_one"].every(isOne)).toBe(true);
  expect([123456, "13", "plan", "a-1", "two words", "-------", "12.50"].some(isOne)).toBe(false);
  // It may be a telephone's.
  expect(isDistinctive(5_551_234, "event_id")).toBe(false);
  expect(["file_id", "orderNo", "uuid"].every(isIdName)).toBe(true);
  expect(["file", "name", "identity"].some(isIdName)).toBe(false);
});

test("[YP20] one and many are the same kind", () => {
  expect(
    ["files", "entries", "boxes", "branches", "status", "address", "news", "bus"].map(singularOf),
  ).toEqual(["file", "entry", "box", "branch", "status", "address", "news", "bus"]);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,10}[b-df-hj-np-rtvw]$/), (noun) => {
      expect(singularOf(`${noun}s`)).toBe(noun);
      expect(headsOf(`${noun}Ids`, "a.b")).toEqual(headsOf(`${noun}_id`, "a.b"));
    }),
  );
});
