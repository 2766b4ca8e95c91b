import { expect, test } from "vitest";
import { resultLeaves } from "../result-leaves.ts";
import { createKnownRecords } from "./known-records.ts";
import {
  createLeafKinds,
  createRows,
  dayOf,
  isAddress,
  isInDirectory,
  isOfOwnPerson,
  isOfPerson,
  isOwnId,
  kindOfLeaf,
  kindOfRow,
  namesOfRow,
  otherPersons,
  type RowLeaf,
  withoutExtension,
  wordsIn,
} from "./rows.ts";

function read(toolPath: string, result: unknown, isVouched = true): readonly RowLeaf[] {
  const leaves = resultLeaves(
    result,
    () => isVouched,
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
/** Which of the values a clue may mean. */
const onlyFor = (leaves: readonly RowLeaf[], clue: string): readonly (string | number)[] => {
  const rows = setup(leaves);
  return leaves.filter((leaf) => rows.isOnlyFor(leaf, clue)).map(({ value }) => value);
};

test("[YP20] a clue picks out a record if it fits no other of its kind", () => {
  const rows = setup(files);
  expect(isOnly(rows, "thesis final.docx")).toBe(true);
  expect(isOnly(rows, "thesis final")).toBe(true);
  expect(isOnly(rows, "final")).toBe(true);
  expect(isOnly(rows, "thesis")).toBe(false);
});

test("[YP20] a word that two things of a kind share picks out neither; a short one, or an id, tells none apart", () => {
  expect(onlyFor(files, "thesis")).toEqual([]);
  expect(onlyFor(files, "nowhere")).toHaveLength(files.length);
  const taxes = read("drive.files", [
    { id: 1, name: "tax v2" },
    { id: 2, name: "tax v3 v2" },
  ]);
  expect(onlyFor(taxes, "tax")).toEqual([]);
  expect(onlyFor(taxes, "v2")).toHaveLength(taxes.length);
  expect(onlyFor(taxes, "1")).toHaveLength(taxes.length);
  const twins = read("drive.files", [
    { id: 1, name: "same.txt" },
    { id: 2, name: "same.txt" },
    { id: 3, name: "other.txt" },
  ]);
  for (const clue of ["same.txt", "same"]) expect(onlyFor(twins, clue)).not.toContain(1);
});

test("[YP20] a thing that stands alone is told apart from other such, not from a text that speaks of it", () => {
  const channels = read("chat.channels", ["general", "sales team", "sales help"]);
  expect(onlyFor(channels, "general")).toEqual(["general"]);
  expect(onlyFor(channels, "sales")).toEqual([]);
  expect(onlyFor(channels, "sales help")).toEqual(["sales help"]);
  const rows = setup(channels, read("chat.channels", ["the general one"]));
  expect(channels.slice(0, 1).every((leaf) => rows.isOnlyFor(leaf, "general"))).toBe(true);
});

test("[YP20] records that have the same value are one where that value is meant", () => {
  const contacts = read("crm.contacts", [
    { id: 1, name: "Ann Smith", email: "ann@x.example" },
    { id: 2, name: "Ann Jones", email: "ann@x.example" },
    { id: 3, name: "Ann Lee", email: "lee@x.example" },
  ]);
  expect(onlyFor(contacts.slice(0, 6), "ann")).toEqual(["ann@x.example", "ann@x.example"]);
  expect(onlyFor(contacts, "ann")).toEqual([]);
});

test("[YP20] a record read again with other fields is the same one by its id", () => {
  const name = files.find((leaf) => leaf.value === "Thesis final.docx");
  const isOnlyBeside = (other: object): boolean => {
    const rows = setup(files, read("drive.files", [{ ...other, label: "final" }]));
    return name !== undefined && rows.isOnlyFor(name, "final");
  };
  expect(isOnlyBeside({ id: 1 })).toBe(true);
  expect(isOnlyBeside({ id: 1, size: 7 })).toBe(true);
  expect(isOnlyBeside({ id: 2 })).toBe(false);
  expect(isOnlyBeside({ size: 1 })).toBe(false);
  expect(isOnlyBeside({ number: 1 })).toBe(false);
  const alone = { value: "final", name: "", isVouched: true, toolPath: "drive.files" };
  expect(setup(files, [alone]).isOnlyFor(alone, "final")).toBe(false);
});

test("[YP20] what others wrote counts as a whole, words of it do not, and a long text not at all", () => {
  const others = (name: string) => setup(files, read("drive.files", [{ id: 3, name }], false));
  const ofOthers = (name: string) => {
    const rows = others(name);
    const [leaf] = read("drive.files", [{ id: 3, name }], false);
    if (leaf !== undefined) rows.add(leaf);
    return rows;
  };
  expect(isOnly(ofOthers("Final"), "final")).toBe(false);
  expect(isOnly(ofOthers("Final call"), "final")).toBe(true);
  const long = (length: number) => "final ".padEnd(length, "x");
  const named = (name: string) => setup(files, read("drive.files", [{ id: 3, name }]));
  expect(isOnly(named(long(120)), "final")).toBe(false);
  expect(isOnly(named(long(121)), "final")).toBe(true);
});

test("[YP20] a moment is told apart by its day, a day by its words", () => {
  const events = (one: string, other: string) =>
    read("calendar.events", [
      { id: 1, start: one },
      { id: 2, start: other },
    ]);
  const [may, june] = ["2024-05-17T10:00", "2024-06-17T10:00"];
  expect(onlyFor(events(may, june), "2024-05-17")).toEqual([1, may]);
  expect(onlyFor(events(may, "2024-05-17T12:00"), "2024-05-17")).toEqual([]);
  expect(onlyFor(events(may, june), "2024")).toHaveLength(4);
  expect(onlyFor(events(dayOf(may), dayOf(june)), "2024")).toEqual([]);
  expect(dayOf(may)).toBe("2024-05-17");
});

test("[YP20] an id is its record's own where it says so of the record's kind", () => {
  const own = (toolPath: string, result: unknown) =>
    read(toolPath, result)
      .filter(isOwnId)
      .map(({ name }) => name);
  expect(own("drive.files", { id: 1, owner_id: 2, name: "a", file: 13, size: 4 })).toEqual(["id", "file"]);
  expect(own("drive.files", { file: "thesis.docx", name: "Thesis" })).toEqual([]);
  expect(own("chat.channels", { id: "general", topic: "all" })).toEqual(["id"]);
  expect(own("mail.list_mails", { messages: [{ id: 1, mail_id: 2, message_id: 3 }] })).toEqual([
    "id",
    "mail_id",
    "message_id",
  ]);
});

test("[YP20] a record is somebody's where one of its kinds is a person", () => {
  const isAnybody = (toolPath: string, result: unknown): boolean => read(toolPath, result).some(isOfPerson);
  expect(isAnybody("hr.members", [{ name: "Ann" }])).toBe(true);
  expect(isAnybody("crm.records", { contacts: [{ name: "Ann" }] })).toBe(true);
  expect(isAnybody("drive.files", [{ owner: "Ann" }])).toBe(false);
});

test.each([
  ["a name and an address", "directory.list", { full_name: "Ann", email_address: "ann@x.example" }, true],
  ["a name and a handle", "directory.find", { displayName: "Ann", login: "ann7" }, true],
  ["no address", "directory.list", { name: "Ann", floor: "3rd" }, false],
  ["no name", "directory.list", { email: "ann@x.example" }, false],
  ["both, outside of a directory", "drive.find", { name: "Ann", email: "ann@x.example" }, false],
])(
  "[YP136] what a directory lists is somebody with a name and an address: %s",
  (_what, toolPath, record, is) => {
    const leaves = read(toolPath, [record]);
    expect(leaves.map(isOfPerson)).toEqual(leaves.map(() => is));
    expect(read(toolPath, [record], false).some(isOfPerson)).toBe(false);
    expect(read(toolPath, Object.values(record)).some(isOfPerson)).toBe(false);
  },
);

test("[YP136] a record leads to its own person, and to nobody else whom it speaks of", () => {
  const leaves = read("people.list", [
    {
      name: "Ann",
      email: "ann@x.example",
      work_phone: "0900 123456",
      user_name: "ann7",
      manager_email: "bob@x.example",
      emergency_contact: "Carol",
      doctor: "Dr Dee",
    },
  ]);
  const others = Object.fromEntries(leaves.map((leaf) => [leaf.name, otherPersons(leaf)]));
  expect(others).toEqual({
    name: [],
    email: [],
    work_phone: [],
    user_name: [],
    manager_email: ["manager"],
    emergency_contact: ["emergency"],
    doctor: ["doctor"],
  });
  const own = ["name", "email", "work_phone", "user_name"];
  expect(leaves.filter(isOfOwnPerson).map(({ name }) => name)).toEqual(own);
  expect(leaves.filter(isInDirectory).map(({ name }) => name)).toEqual(own);
});

test("[YP136] a doctor's record is the doctor's; in a file, and outside of a directory, nobody is listed", () => {
  const doctors = read("clinic.doctors", [{ doctor_name: "Dr Dee", email: "dee@x.example" }]);
  expect(doctors.every(isOfOwnPerson)).toBe(true);
  expect(doctors.some(isInDirectory)).toBe(false);
  const managed = read("drive.files", [{ manager: "Bob", name: "Plan" }]);
  expect(managed.flatMap(otherPersons)).toEqual([]);
  expect(managed.some(isOfOwnPerson)).toBe(false);
});

test("[YP125] a vouched field says of what kind its record and its id are, one that others wrote does not", () => {
  const kindsOf = (isVouched: boolean) =>
    read("records.find", [{ entity: "room", key: 13, floor: "3rd" }], isVouched).map(createLeafKinds());
  const [, id, field] = kindsOf(true);
  expect(id).toMatchObject({
    own: { heads: ["room", "record"], isVague: false },
    row: { heads: ["room", "record"], isVague: false },
  });
  expect(field?.own.heads).toEqual(["floor"]);
  expect(kindsOf(false)[1]?.own.heads).toEqual(["record"]);
});

test("[YP20] one of several values of a record is the record's, too", () => {
  const plans = read("drive.files", [{ name: "Plan", tags: ["work", "home"] }]);
  expect(onlyFor(plans, "plan")).toEqual(["Plan", "work", "home"]);
});

test("[YP26] a thing is called by its names and titles, not by its texts, nor by what others wrote", () => {
  const record = {
    id: 7,
    file_name: "plan.md",
    filename: "old.md",
    Subject: "Move",
    label_: "x".repeat(120),
    title: "x".repeat(121),
    name: 12,
    username: "ann",
    name_of_owner: "Bob",
    description: "A plan",
  };
  const [leaf] = read("drive.files", [record]);
  expect(leaf && namesOfRow(leaf)).toEqual(["plan.md", "old.md", "Move", "x".repeat(120)]);
  const [written] = read("drive.files", [record], false);
  expect(written && namesOfRow(written)).toEqual([]);
  const [alone] = read("drive.files", ["plan.md"]);
  expect(alone && namesOfRow(alone)).toEqual([]);
});

test("[YP20] values in one place of a result have their kinds looked up once", () => {
  const kindsOf = createLeafKinds();
  const [id, name, otherId] = files;
  const [alone] = read("chat.channels", ["general"]);
  for (const leaf of [id, name, otherId, alone]) {
    if (leaf === undefined) throw new Error("There is none");
    const kinds = { own: kindOfLeaf(leaf), row: kindOfRow(leaf) };
    expect(kindsOf(leaf)).toEqual(kinds);
    expect(kindsOf({ ...leaf })).toBe(kindsOf(leaf));
    const known = { ...leaf, kinds: { own: kinds.row, row: kinds.own } };
    expect([kindOfLeaf(known), kindOfRow(known)]).toEqual([kinds.row, kinds.own]);
  }
  expect(id && name && kindsOf(id) !== kindsOf(name)).toBe(true);
  expect(id && otherId && kindsOf(id) === kindsOf(otherId)).toBe(true);
  expect(alone && kindOfLeaf(alone).heads).toEqual(["channel"]);
  const record = { name: "attachments", isTop: false, fields: [] };
  const within = { value: 7, name: "id", isVouched: true, toolPath: "mail.get_mail", record };
  expect([kindOfLeaf(within).heads, kindOfRow(within).heads]).toEqual([["attachment"], ["attachment"]]);
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
  const heardFirst = createRows();
  for (const word of ["john", "corp"]) heardFirst.hear(word);
  for (const leaf of read("drive.files", [{ id: 1, name: "jo@hn" }])) heardFirst.add(leaf);
  expect(heardFirst.isSpokenOf(["file"])).toBe(false);
  for (const leaf of read("drive.files", [{ id: 3, name: "final@corp.example" }])) heardFirst.add(leaf);
  expect(heardFirst.isSpokenOf(["file"])).toBe(true);
});

test("[YP20] an address has a sign, a scheme or a path", () => {
  expect(["bob@x", "https://x", "x.org/path", "x.org?q", "x.org#a"].every(isAddress)).toBe(true);
  expect(["thesis.docx", "and/or", "v1.2", "a. b/c", "see .x/"].some(isAddress)).toBe(false);
});

test("[YP16] twenty thousand different words of the user's are kept, and no more", () => {
  const rows = setup(files);
  for (let count = 0; count < 19_999; count += 1) rows.hear(`w${count}`);
  rows.hear("w0");
  rows.hear("notes");
  expect(rows.isSpokenOf(["file"])).toBe(true);
  const full = setup(files);
  for (let count = 0; count < 20_000; count += 1) full.hear(`w${count}`);
  full.hear("notes");
  expect(full.isSpokenOf(["file"])).toBe(false);
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
  for (const name of ["wait..txt", "notes.of me"]) expect(withoutExtension(name)).toBe(name);
  expect(wordsIn("vacation-plans_v2")).toEqual(["vacation", "plans", "v2"]);
  expect(wordsIn("--")).toEqual([]);
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
  expect(firstAlike(record("x"))).toBe(one);
  expect(firstAlike(record("z"))).not.toBe(one);
  expect(firstAlike(long)).toBe(long);
  const longest = record("w".repeat(2_000));
  expect(firstAlike(longest)).toBe(longest);
  expect(firstAlike(record("w".repeat(2_000)))).toBe(longest);
  expect(firstAlike({ ...long })).not.toBe(long);
});
