import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSaidKinds, type SaidKinds } from "./said-kinds.ts";

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
