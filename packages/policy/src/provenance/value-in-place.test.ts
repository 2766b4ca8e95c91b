import { expect, test } from "vitest";
import type { RowLeaf } from "./kinds/rows.ts";
import { resultLeaves } from "./result-leaves.ts";
import { fittingPlace, isAlike, isCount, isListedAs, senseOf } from "./value-in-place.ts";

const at = (name: string, toolPath: string) => ({ name, toolPath });

function leavesOf(toolPath: string, result: unknown): readonly RowLeaf[] {
  const leaves = resultLeaves(
    result,
    () => true,
    () => {},
  );
  return Array.from(leaves, (leaf) => ({ ...leaf, toolPath }));
}

/** For which names of an argument a value of a result stands where such a thing would. */
const alike = (
  toolPath: string,
  result: unknown,
  asked: readonly (readonly [string, string])[],
  isMeant = isAlike,
): readonly boolean[] => {
  const [leaf] = leavesOf(toolPath, result);
  return asked.map(([name, path]) => leaf !== undefined && isMeant(leaf, at(name, path)));
};

test.each([
  [3, "quantity", true],
  [" 12 ", "quantity", true],
  [3, "file_id", false],
  [3, "name", false],
  ["3 kg", "quantity", false],
  ["about 3", "quantity", false],
  ["many", "quantity", false],
])("[YP28] %j says how many in `%s`: %s", (value, name, is) => {
  expect(isCount(value, at(name, "shop.order"))).toBe(is);
});

test("[YP20] a number is an id where one is asked for, and a bare one says nothing alone", () => {
  expect(senseOf(13, at("file_id", "drive.delete"))).toBe("bare id");
  expect(senseOf("AB-1234", at("file_id", "drive.delete"))).toBe("id");
  expect(senseOf("Plan", at("name", "drive.delete"))).toBe("plain");
  expect(senseOf(13, undefined)).toBe("plain");
});

test("[YP5] a number that a source gave fits an argument of a like name, a text any, an id its own kind", () => {
  const leaves = leavesOf("bank.bills", [{ amount_due: "1,200", total: 50, bill_id: 7, note: "rent" }]);
  const fits = (value: string | number, name: string, path = "bank.pay"): boolean => {
    const found = { source: "bank.bills", leaves: leaves.filter((leaf) => leaf.value === value) };
    const place = at(name, path);
    return fittingPlace(found, value, place, senseOf(value, place)) !== undefined;
  };
  expect([fits("1,200", "amount"), fits("1,200", "percent")]).toEqual([true, false]);
  expect([fits(50, "total_price"), fits(50, "percent")]).toEqual([true, false]);
  expect([fits("rent", "reference"), fits(7, "bill_id"), fits(7, "file_id")]).toEqual([true, true, false]);
  // Where only the service says what is asked for, it may be what the service has.
  expect([fits(7, "id", "bank.delete"), fits(7, "id", "drive.delete")]).toEqual([true, false]);
});

test("[YP124] a channel's name stands where a channel is asked for, in the same service", () => {
  const asked = [
    ["channel", "chat.post"],
    ["user", "chat.post"],
    ["channel", "radio.post"],
  ] as const;
  expect(alike("chat.list_channels", [{ channel: "general" }], asked)).toEqual([true, false, false]);
  expect(alike("chat.list_channels", ["general"], asked)).toEqual([true, false, false]);
});

test("[YP136] a person's name in a directory is theirs in every service, an address is the same in all", () => {
  const asked = [["username", "chat.invite"]] as const;
  const person = { username: "ann7", name: "Ann" };
  expect(alike("directory.list", [person], asked)).toEqual([true]);
  expect(alike("shop.list", [person], asked)).toEqual([false]);
  const mail = [["email", "mail.send"]] as const;
  expect(alike("crm.contacts", [{ email: "ann@x.example" }], mail)).toEqual([true]);
  // Whoever is in a record of something else is nobody whom a service lists.
  expect(alike("news.articles", [{ email: "ann@x.example" }], mail)).toEqual([false]);
  expect(alike("news.articles", ["ann@x.example"], [["article", "mail.send"]])).toEqual([true]);
});

test("[YP124] that both are names, or titles, says nothing, unless they are called the same", () => {
  const asked = [
    ["name", "crm.update"],
    ["first_name", "crm.update"],
  ] as const;
  expect(alike("crm.records", [{ name: "Ann" }], asked)).toEqual([true, false]);
  const titles = [
    ["title", "crm.update"],
    ["job_title", "crm.update"],
  ] as const;
  expect(alike("crm.records", [{ title: "Chief" }], titles)).toEqual([true, false]);
});

test("[YP23] the channel of a post is not one of the channels listed", () => {
  const asked = [["channel", "chat.invite"]] as const;
  expect(alike("chat.list_channels", [{ channel: "general" }], asked, isListedAs)).toEqual([true]);
  expect(alike("chat.list_posts", [{ channel: "general" }], asked, isListedAs)).toEqual([false]);
  expect(alike("chat.list_channels", [{ topic: "general" }], asked, isListedAs)).toEqual([false]);
});
