import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isDistinctive,
  isIdLike,
  isIdName,
  isKindWord,
  isPerhapsSameKind,
  isPerson,
  isQuantityName,
  isSameKind,
  kindOfArgument,
  kindOfField,
  kindOfRecord,
  readDeclaredKind,
  saysOnlyId,
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
  ["id", "drive.remove", ["drive", "file", "folder"]],
  ["id", "remove", ["remove"]],
  ["id", "calendar.get_events_by_day", ["event"]],
  ["recipient_of_mail", "mail.send", ["recipient"]],
  ["box2", "store.open", ["box2"]],
  ["box_12", "store.open", ["box"]],
  ["from_account", "bank.send", ["account"]],
  ["draft_pull_request_id", "github.close", ["pull"]],
  ["pull_comment_id", "github.remove", ["comment"]],
  ["merge_request_id", "gitlab.close", ["request"]],
  ["id", "drive.share.remove", ["share"]],
  ["id", "drive.files.get_id", ["file"]],
  ["id", "drive.files.find_by", ["file"]],
  ["id", "shop.remove_2", ["shop"]],
  ["id", "ids.get", ["ids"]],
])("[YP20] what %s of %s names is of the kind %j", (name, toolPath, heads) => {
  expect(headsOf(name, toolPath)).toEqual(heads);
});

test("[YP20] the author's word counts before any name", () => {
  const place = { name: "target", toolPath: "vault.wipe", declared: "drive.files" };
  expect(kindOfArgument(place)).toEqual({ heads: ["file"], space: "drive", states: [], isVague: false });
  expect(readDeclaredKind("File")).toEqual({ heads: ["file"], space: "", states: [], isVague: false });
});

test("[YP20] an argument may mean the main thing of its service, unless the tool or the argument says otherwise", () => {
  const kind = (name: string, toolPath: string) => kindOfArgument({ name, toolPath });
  const file = { heads: ["file"], space: "drive", states: [], isVague: false };
  expect(kind("file_id", "Drive.remove")).toEqual({ ...file, mayBeMain: true });
  expect(kind("file_id", "drive.remove_folder")).toEqual({ ...file, mayBeMain: false });
  expect(kind("user_id", "drive.remove").mayBeMain).toBe(false);
  expect(kind("id", "drive.remove")).toEqual({ ...file, heads: ["drive", "file", "folder"], isVague: true });
  expect(kind("id", "drive.remove_file").isVague).toBe(false);
  expect(kind("id", "ids.get").isVague).toBe(true);
  expect([kind("id", "drive.remove"), kind("id", "ids.get")].every(({ mayBeMain }) => mayBeMain)).toBe(false);
});

test.each([
  ["archived_file_id", "drive.get", ["archived"]],
  ["shared_bed_id", "hotel.get", ["shared"]],
  ["speedy_file_id", "drive.get", []],
  ["id", "bank.update_scheduled_payment", ["scheduled"]],
  ["id", "planned.get_payment", []],
  ["id", "bank.get_archived", []],
])("[YP20] what %s of %s says of a thing besides: %j", (name, toolPath, states) => {
  expect(kindOfArgument({ name, toolPath }).states).toEqual(states);
  expect(kindOfField({ name, toolPath, recordName: "", isTop: true }).states).toEqual(states);
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
  expect(kindOfRecord({ ...at, recordName: "", isTop: false }).heads).toEqual(["mail"]);
  const vague = { ...at, toolPath: "mail.search" };
  expect(kindOfRecord(vague).isVague).toBe(true);
  expect(kindOfRecord(at).isVague).toBe(false);
  expect(kindOfRecord({ ...vague, recordName: "messages" }).isVague).toBe(false);
  expect(kindOfField({ ...vague, name: "author_id" }).isVague).toBe(false);
});

test("[YP20] a kind is that of one service; what the tool says of it besides counts, too", () => {
  const arg = (name: string, toolPath: string) => kindOfArgument({ name, toolPath });
  expect(isSameKind(arg("file_id", "drive.get"), arg("file_id", "drive.remove"))).toBe(true);
  expect(isSameKind(arg("file_id", "box.get"), arg("file_id", "drive.remove"))).toBe(false);
  expect(isSameKind(readDeclaredKind("file"), arg("file_id", "drive.remove"))).toBe(true);
  expect(isSameKind(arg("file_id", "drive.get"), readDeclaredKind("file"))).toBe(true);
  expect(isSameKind(arg("event_id", "drive.get"), arg("file_id", "drive.remove"))).toBe(false);
  const listed = { toolPath: "mail.list_mails", recordName: "messages", isTop: true };
  expect(isSameKind(kindOfRecord(listed), arg("mail_id", "mail.remove"))).toBe(true);
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
  expect(isPerhapsSameKind(found, file("drive.remove_folder"))).toBe(false);
  expect(isPerhapsSameKind(found, kindOfArgument({ name: "user_id", toolPath: "drive.remove" }))).toBe(false);
  expect(isPerhapsSameKind(file("drive.get"), kindOfArgument({ name: "id", toolPath: "drive.find" }))).toBe(
    true,
  );
  expect(isPerhapsSameKind(file("drive.get"), file("drive.remove"))).toBe(false);
});

test("[YP20] people have several words for a kind", () => {
  expect(wordsForKind({ heads: ["file"] })).toEqual(expect.arrayContaining(["file", "document"]));
  expect(wordsForKind({ heads: ["zebra"] })).toEqual(["zebra"]);
  expect(wordsForKind({ heads: ["zebra", "mail"] })).toEqual(
    expect.arrayContaining(["zebra", "mail", "email"]),
  );
  expect(["files", "document", "zebra"].map(isKindWord)).toEqual([true, true, false]);
  expect(["author", "person", "file", "zebra"].map(isPerson)).toEqual([true, true, false, false]);
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
  ["a17", "room", true],
  ["abc", "room", false],
  [" 13 ", "file", true],
  ["1234567", "file", true],
  ["#1234567", "issue", true],
  ["abc12", "channel_id", true],
  ["12abc", "channel_id", true],
  ["2024-05-17T10:00", "event_id", false],
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
  expect([" 1234567 ", "ab-12", "12-ab"].every(isOne)).toBe(true);
  expect(["#123456", "plans", "@alice"].some(isOne)).toBe(false);
  expect([123456, "13", "plan", "a-1", "two words", "-------", "12.50"].some(isOne)).toBe(false);
  // It may be a telephone's.
  expect(isDistinctive(5_551_234, "event_id")).toBe(false);
  expect(["file_id", "orderNo", "uuid"].every(isIdName)).toBe(true);
  expect(["file", "name", "identity"].some(isIdName)).toBe(false);
  expect(["id", "ids", "uuid"].every(saysOnlyId)).toBe(true);
  expect(["file_id", "name", ""].some(saysOnlyId)).toBe(false);
});

test("[YP28] an argument asks how much or how many by its name, unless it is an id's", () => {
  expect(["amount", "max_results", "hours", "priceLimit"].every(isQuantityName)).toBe(true);
  expect(["amount_id", "file", "hour_of_id", ""].some(isQuantityName)).toBe(false);
});

test("[YP20] one and many are the same kind", () => {
  expect(
    ["files", "entries", "boxes", "branches", "status", "address", "news", "bus"].map(singularOf),
  ).toEqual(["file", "entry", "box", "branch", "status", "address", "news", "bus"]);
  expect(["gas", "tags", "chestnuts", "box"].map(singularOf)).toEqual(["gas", "tag", "chestnut", "box"]);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,10}[b-df-hj-np-rtvw]$/), (noun) => {
      expect(singularOf(`${noun}s`)).toBe(noun);
      expect(headsOf(`${noun}Ids`, "a.b")).toEqual(headsOf(`${noun}_id`, "a.b"));
    }),
  );
});
