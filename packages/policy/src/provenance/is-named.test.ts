import { expect, test } from "vitest";
import { pickedBy } from "./is-named.ts";
import { createRows, type RowLeaf } from "./kinds/rows.ts";
import type { ResultField } from "./result-leaves.ts";
import { isPlainWord } from "./value-forms.ts";

type Field = Omit<ResultField, "name"> & { readonly name?: string };

/** A vouched id of a payment, beside one more field of its record. */
function leafWith(field: Field, id = 7): RowLeaf {
  const own = { value: id, name: "id", isVouched: true };
  const record = { fields: [own, { name: "subject", ...field }], name: "", isTop: true };
  return { ...own, toolPath: "bank.payments", record };
}

/** How the first of these is picked out by somebody who says just this. */
function naming([leaf, ...others]: readonly RowLeaf[], ...said: readonly (string | number)[]) {
  const rows = createRows();
  for (const one of [leaf, ...others]) if (one !== undefined) rows.add(one);
  return pickedBy(
    leaf === undefined ? [] : [leaf],
    {
      says: (value) => said.includes(value),
      numbers: () => false,
      numbersAny: () => false,
      isOfOtherDay: () => false,
      callsIt: (name) => said.includes(`called ${name}`),
      marks: (word) => said.includes(word.toLowerCase()) && !said.includes(`${word.toLowerCase()} as a word`),
      namesBeside: (word) => said.includes(`the ${word} payment`),
      returnsSum: (sum) => said.includes(`refund ${sum}`),
      describesIt: false,
      standsWithin: (word) => !said.includes(`${word} …`),
      saysSum: (sum) => said.includes(sum),
    },
    rows,
  )?.naming;
}
const vouched = (value: string | number, id?: number) => leafWith({ value, isVouched: true }, id);
const others = (value: string | number, id?: number) => leafWith({ value, isVouched: false }, id);
const long = (length: number): string => "rent ".padEnd(length, "x");

test("[YP7] a word that only begins a sentence, or is not used as a name, is no word of a name", () => {
  expect(naming([vouched("Via Rent")], "rent")).toBe("part");
  expect(naming([vouched("Via Rent")], "rent", "rent …")).toBeUndefined();
  expect(naming([vouched("Via Rent")], "rent", "rent as a word")).toBeUndefined();
  expect(naming([vouched("Rent")], "Rent", "rent as a word")).toBeUndefined();
});

test("[YP7] the name of a thing leads to no address beside it, that of a person does", () => {
  const beside = (toolPath: string, name: string, isOwn = false): string | undefined => {
    const fields = [
      { name: "name", value: "Summer party", isVouched: true },
      { name, value: "eve@evil.example", isVouched: true },
    ];
    const leaf = { value: "eve@evil.example", name, isVouched: true, isOwn, toolPath };
    return naming([{ ...leaf, record: { fields, name: "", isTop: true } }], "Summer party");
  };
  expect(beside("drive.search_files", "owner")).toBeUndefined();
  expect(beside("crm.find_contacts", "work_email")).toBe("whole");
  expect(beside("crm.find_contacts", "owner")).toBeUndefined();
  expect(beside("crm.find_contacts", "manager_email")).toBeUndefined();
  expect(beside("drive.search_files", "owner", true)).toBe("whole");
});

test("[YP7] a word of an id picks out nothing, not even that id", () => {
  const card = (name: string): RowLeaf => {
    const own = { value: "gift_card_6136092", name, isVouched: true };
    const record = { fields: [own], name: "payments", isTop: false };
    return { ...own, isOwn: true, toolPath: "air.user", record };
  };
  expect(naming([card("payment_id")], "gift", "card", "gift card")).toBeUndefined();
  expect(naming([card("payment_id")], "gift_card_6136092")).toBe("whole");
  expect(naming([card("label")], "gift", "card")).toBe("part");
});

test("[YP7] where nobody else writes, any word is enough, but for whom to reach", () => {
  const directory = (name: string, value: string): RowLeaf => {
    const own = { value, name, isVouched: true };
    const record = {
      fields: [{ name: "name", value: "Marketing", isVouched: true }, own],
      name: "",
      isTop: true,
    };
    return { ...own, isOwn: true, toolPath: "chat.directory", record };
  };
  const asWord = ["Marketing", "marketing", "marketing as a word"];
  expect(naming([directory("room", "Blue Heron")], ...asWord)).toBe("whole");
  expect(naming([directory("email", "m@x.example")], ...asWord)).toBeUndefined();
  expect(naming([directory("email", "m@x.example")], "Marketing", "marketing")).toBe("whole");
});

test("[YP7] a field of up to 120 characters is a name, a longer one a text", () => {
  expect(naming([vouched(long(120))], "rent")).toBe("part");
  expect(naming([vouched(long(121))], "rent")).toBeUndefined();
  expect(naming([others(long(120))], long(120))).toBe("whole");
  expect(naming([others(long(121))], long(121))).toBeUndefined();
});

test("[YP7] so it is of a value that stands alone", () => {
  const own = (value: string | number): boolean =>
    naming([{ value, name: "", isVouched: true, toolPath: "chat.channels" }], "rent") !== undefined;
  expect([long(120), long(121), "the rent.", "ren", "7", 7].map(own)).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("[YP20] a name that two records share picks out neither; of a shared word, only what tells them apart", () => {
  expect(naming([vouched("Rent"), vouched("Rent", 8)], "Rent")).toBeUndefined();
  expect(naming([vouched("Rent May"), vouched("Rent June", 8)], "rent")).toBeUndefined();
  expect(naming([vouched("Rent May"), vouched("Rent June", 8)], "rent", "june")).toBeUndefined();
  expect(naming([vouched("Rent Berlin"), vouched("Rent Paris", 8)], "rent", "berlin")).toBe("part");
  expect(naming([others("Rent it"), others("Rent it", 8)], "Rent it")).toBeUndefined();
  expect(naming([vouched("Rent"), vouched("Rent", 7)], "Rent", "rent")).toBe("whole");
});

test("[YP20] numbers pick out nothing, but for a sum of money that only one has", () => {
  const amount = (value: number, id?: number) => leafWith({ value, isVouched: true, name: "amount" }, id);
  expect(naming([vouched(1_100)], 1_100)).toBeUndefined();
  expect(naming([amount(1_100)], 1_100)).toBe("part");
  expect(naming([amount(1_100)], "1,100")).toBeUndefined();
  expect(naming([amount(1_100), amount(1_100, 8)], 1_100)).toBeUndefined();
  expect(naming([leafWith({ value: 1_100, isVouched: false, name: "amount" })], 1_100)).toBeUndefined();
  expect(naming([vouched("1100")], "1100")).toBeUndefined();
  expect(naming([leafWith({ value: "17", isVouched: true, name: "owner_id" })], "17")).toBeUndefined();
});

test("[YP20] a file is named with or without its ending, and by two of its words, not by one", () => {
  const file = (value: string) => leafWith({ value, isVouched: true, name: "name" });
  expect(naming([file("family-photos.zip")], "family-photos.zip")).toBe("whole");
  expect(naming([file("family-photos.zip")], "family-photos")).toBe("whole");
  expect(naming([file("family-photos.zip")], "family photos")).toBe("whole");
  expect(naming([file("family-photos.zip")], "family")).toBeUndefined();
  expect(naming([file("family-photos.zip")], "family", "photos")).toBeUndefined();
  expect(naming([file("old-family-photos.zip")], "family", "photos", "family photos")).toBe("part");
  expect(naming([file("photos@digest.example")], "photos")).toBeUndefined();
});

test("[YP20] others' words name only their own record, whole, and by its own id", () => {
  const note = (value: string) => naming([others("Lovely day")], value);
  expect(note("Lovely day")).toBe("whole");
  expect(note("lovely")).toBeUndefined();
  expect(naming([others("Lovely")], "Lovely")).toBeUndefined();
  expect(naming([others("Lovely")], "called Lovely")).toBe("whole");
  expect(naming([others("Lovely")], "the lovely payment")).toBe("whole");
  expect(naming([others("of it")], "of it")).toBeUndefined();
  const { record } = others("Lovely day");
  const sender = { value: "eve@evil.example", name: "from", isVouched: true, toolPath: "mail.list" };
  expect(naming([{ ...sender, ...(record === undefined ? {} : { record }) }], "Lovely day")).toBeUndefined();
});

test("[YP20] a field that is no name tells in part; a moment by its day, where it is the only one", () => {
  const state = leafWith({ value: "overdue", isVouched: true, name: "state" });
  expect(naming([state], "overdue")).toBe("part");
  const on = (value: string, id?: number) => leafWith({ value, isVouched: true, name: "start" }, id);
  expect(naming([on("2024-05-17 10:00")], "2024-05-17")).toBe("part");
  expect(naming([on("2024-05-17 10:00"), on("2024-05-17 12:00", 8)], "2024-05-17")).toBeUndefined();
  expect(naming([on("2024-05-17 10:00"), on("2024-05-18 12:00", 8)], "2024-05-17")).toBe("part");
});

test("[YP20] a plain word is no name by itself", () => {
  expect(["inbox", "Meeting", "rent"].every(isPlainWord)).toBe(true);
  expect(["a1", "two words", "x-y"].some(isPlainWord)).toBe(false);
});

test("[YP7] a sum leads to whoever is beside it only where it is to be given back", () => {
  const fields = [
    { name: "amount", value: 50, isVouched: true },
    { name: "sender", value: "GB29NWBK60161331926819", isVouched: true },
  ];
  const leaf = {
    value: "GB29NWBK60161331926819",
    name: "sender",
    isVouched: true,
    toolPath: "bank.payments",
  };
  const beside = (...said: readonly (string | number)[]): string | undefined =>
    naming([{ ...leaf, record: { fields, name: "", isTop: true } }], ...said);
  expect(beside(50)).toBeUndefined();
  expect(beside(50, "refund 50")).toBe("part");
});
