import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSaidKinds, idsIn, numberedIn, type SaidKinds } from "./said-kinds.ts";

function told(text: string): SaidKinds {
  const kinds = createSaidKinds();
  kinds.add(text);
  return kinds;
}

test.each([
  ["delete file 13", "13"],
  ["delete File #13", "13"],
  ["the file with the id 13", "13"],
  ["files 3, 7 and 13", "13"],
  ["files 3, 7 and 13", "3"],
  ["file number 13, please", "13"],
  ["file (id: 13)", "13"],
  ["file no. 13", "13"],
  ["file A-13", "a-13"],
  ["file 13.", "13"],
  ["delete file 13 [attachment 1]", "13"],
])("[YP20] %j names the file %s", (text, id) => {
  expect(told(text).has(["file"], id)).toBe(true);
});

test.each([
  ["event 13 and a file", "13"],
  ["13 files", "13"],
  ["a file. 13 of them", "13"],
  ["file\n13. Buy milk", "13"],
  ["a file for 13 people", "13"],
  ["the file 13 days ago", "13"],
  ["file it in 13 minutes", "13"],
  ["file 13%", "13"],
  ["file 130", "13"],
  ["file 1 3", "13"],
  ["the file about 13", "13"],
])("[YP20] %j names no file %s", (text, id) => {
  expect(told(text).has(["file"], id)).toBe(false);
});

test("[YP20] a verb before an id counts, unless something is counted", () => {
  expect(told("delete 42").hasVerb(["delete"], "42")).toBe(true);
  expect(told("delete 42, please").hasVerb(["delete"], "42")).toBe(true);
  expect(told("delete 42 now").hasVerb(["delete"], "42")).toBe(true);
  expect(told("delete 42 files").hasVerb(["delete"], "42")).toBe(false);
  expect(told("delete 42").hasVerb(["share"], "42")).toBe(false);
  expect(told("delete it at 42").hasVerb(["delete"], "42")).toBe(false);
});

test("[YP20] a sign says that a number is an id, and the verb of the request of what", () => {
  expect(told("comment on #31 that it is fixed").hasSign(["comment"], "31")).toBe(true);
  expect(told("remove #31").hasSign(["remove"], "31")).toBe(true);
  expect(told("remove #31").hasSign(["share"], "31")).toBe(false);
  expect(told("close #31").hasVerb(["close"], "31")).toBe(true);
  expect(told("Look at #31 and close it").hasSign(["close"], "31")).toBe(true);
  for (const text of ["is #31 done?", "I am #31 in the queue", "close locker #31", "close 31"])
    expect(told(text).hasSign(["close", "be"], "31"), text).toBe(false);
});

test.each([
  "with 13 chairs",
  "with the 13 photos",
  "(13 comments)",
  ": 13 employees are in it",
  "= 13 employees",
  "of 13 May",
  "13 May",
  "13:00",
  "13 floors up",
  "the 13 students wrote",
  "with number 13 in its title",
  "with 13 in its name",
  "with 13 or 24 likes",
  "and 13 others",
  "13, Main St",
  "with over 13",
])("[YP20] “the qbbk %s” names no qbbk 13", (rest) => {
  expect(told(`cancel the qbbk ${rest}`).has(["qbbk"], "13")).toBe(false);
  expect(told(`cancel every qbbk ${rest}`).has(["qbbk"], "13")).toBe(false);
});

test.each([
  "issue 3 of evecorp",
  "issue 3 of Evecorp, please",
  "issue 3 of evecorp/web and tell me",
  "issue #3 of the evecorp repository",
  "issue 3 of my project",
  "issue number 3 of evecorp.",
  "issues 2 and 3 of evecorp",
  "issue 3 of bob's repository",
])("[YP20] “close %s” names the issue 3: what follows says where it is", (said) => {
  expect(told(`close ${said}`).has(["issue"], "3")).toBe(true);
});

test.each([
  "3 of the issues",
  "the issue 3 of the students wrote",
  "the issue 3 of them",
  "the issue 3 of us have seen",
  "the issue 3 of my friends",
  "the issue 3 of Bob's friends like",
  "the issue 3 of marketing wrote",
  "the issue 3 of marketing have seen",
  "the issue 3 of the staff",
  "the issue 3 of the people",
  "the issue 3 of all",
  "the issue 3 of 20",
  "the issue 3 of these",
  "the issue 3 of May",
  "the issue 3 of",
  "the issue of 3 of evecorp",
  "the issue with 3 of evecorp",
])("[YP20] “close %s” names no issue 3: some of many are counted", (said) => {
  expect(told(`close ${said}`).has(["issue"], "3")).toBe(false);
});

test.each([
  ["leave issue 3 alone", "3", ["issue"], true],
  ["leave issue #3 alone", "#3", ["issue"], true],
  ["leave file A-13 alone", "A-13", ["file"], true],
  ["leave file 3 alone", "3", ["issue"], false],
  ["leave file 3 and issue 3 alone", "3", ["issue"], true],
  ["not number 3", "3", ["issue"], true],
  ["not 3", "3", ["issue"], true],
  ["not #3", "3", ["issue"], true],
  ["not 3 files", "3", ["issue"], false],
  ["not 4", "3", ["issue"], false],
])("[YP25] “%s” speaks of the id %s of %j: %s", (text, id, nouns, isNamed) => {
  expect(idsIn(text)(id, nouns)).toBe(isNamed);
});

test("[YP20] a range is of up to a hundred, from the smaller one to the larger", () => {
  const has = (text: string, id: number): boolean => told(text).has(["issue"], String(id));
  expect([has("close issues 10-12", 11), has("close issues 12-10", 11)]).toEqual([true, false]);
  expect([has("close issues 1 to 100", 50), has("close issues 1 to 101", 50)]).toEqual([true, false]);
});

test("[YP20] a verb may have several ids, and only what follows it directly", () => {
  const has = (text: string, id: string): boolean => told(text).hasVerb(["delete"], id);
  expect(["42", "43", "44"].map((id) => has("delete 42, 43 and 44", id))).toEqual([true, true, true]);
  expect(["42", "43"].map((id) => has("delete 42 then 43", id))).toEqual([true, false]);
  expect(has("delete A-42", "a-42")).toBe(true);
  expect(has("keep 41, and delete 42", "41")).toBe(false);
});

test("[YP20] several are named by the first and the last, one is not", () => {
  for (const text of ["close issues 3-5", "close issues 3 to 5", "close issues 3 through 5"])
    expect(["3", "4", "5", "6"].map((id) => told(text).has(["issue"], id))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  expect(told("move issue 3 to 5").has(["issue"], "4")).toBe(false);
  expect(told("merge pull request 31").has(["pull"], "31")).toBe(true);
});

test("[YP20] for any noun: with it, an id is said; beside another, or as a count, it is not", () => {
  const noun = fc.stringMatching(/^q[b-df-hj-np-rtvwz]{3,6}k$/);
  fc.assert(
    fc.property(noun, noun, fc.integer({ min: 1, max: 99_999 }), (one, other, id) => {
      fc.pre(one !== other);
      expect(told(`remove the ${one} ${id}`).has([one], String(id))).toBe(true);
      expect(told(`remove the ${one} ${id}`).has([other], String(id))).toBe(false);
      expect(told(`remove ${id} ${one}s`).has([one], String(id))).toBe(false);
      expect(told(`the ${one} has ${id} lines`).has([one], String(id))).toBe(false);
    }),
  );
});

test("[YP20] an id that was said as one is known, in whatever case, with a verb or a sign as well", () => {
  for (const text of ["order 13x", "delete 13x", "comment on #13x"])
    expect(told(text).knows("13X"), text).toBe(true);
  expect(told("order 13x").knows("13")).toBe(false);
  expect(told("thirteen orders").knows("13")).toBe(false);
  expect(told("close #7A").hasSign(["close"], "7A")).toBe(true);
});

test("[YP20] an id that was said as one of something else is no other thing's", () => {
  expect(told("my order W13").isOfOther(["account"], "W13")).toBe(true);
  expect(told("the order #W13").isOfOther(["account"], "#W13")).toBe(true);
  expect(told("the order W13").isOfOther(["order"], "W13")).toBe(false);
  expect(told("the order W13 and the account W13").isOfOther(["account"], "W13")).toBe(false);
  expect(told("the order W13").isOfOther(["account"], "W14")).toBe(false);
  // "Archive 13": the word may be a verb.
  expect(told("Archive W13").isOfOther(["account"], "W13")).toBe(false);
  expect(told("Look at the order W13. Archive W13").isOfOther(["account"], "W13")).toBe(false);
});

test.each([
  ["files 3-5", ["3", "4", "5"]],
  ["files 3 to 5", ["3", "4", "5"]],
  ["files 5-3", []],
  ["files 3-300", []],
  ["files: 3, 5", ["3", "5"]],
  ["file 3! 5", ["3"]],
  ["file 3? 5", ["3"]],
  ["file 3; 5", ["3"]],
  ["file 3\n5", ["3"]],
  ["file 3. 5", ["3"]],
  ["file 3 and 5 likes", []],
  ["file 3 in its title", []],
  ["file 3 in my subject", []],
  ["file 3 in Lisbon", ["3"]],
  ["file 3 quickly", ["3"]],
  ["file 3, I think", ["3"]],
  ["file 3, Main St", []],
  ["file 3:30", []],
  ["file 3 of evecorp", ["3"]],
  ["file 3 of my project", ["3"]],
  ["file 3 of my friends", []],
  ["file 3 of", []],
])("[YP20] %j names the files %j", (text, ids) => {
  const kinds = told(text);
  expect(["3", "4", "5"].filter((id) => kinds.has(["file"], id))).toEqual(ids);
});

test("[YP21] a text tells of which kinds it gives ids", () => {
  expect([...numberedIn("Delete emails 1 and 2, and the files")]).toEqual(["email"]);
  expect([...numberedIn("Delete the emails")]).toEqual([]);
});
