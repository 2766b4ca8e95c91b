import { expect, test } from "vitest";
import { isAbout } from "./about.ts";

const ISSUE = { names: ["3", "Login loops"], kinds: ["issue", "ticket"] };

test.each([
  ["close issue 3", "close"],
  ["close the issue login loops", "close"],
  ["close the issue", "close"],
  ["close it", "close"],
  ["please close it now", "close"],
  ["close all tickets", "close"],
  ["lock it", "lock"],
  ["then lock issue 3", "lock"],
  ["you lock issue 3", "lock"],
  ["move issue 3", "close"],
])("[YP113] “%s” asks to %s issue 3", (clause, verb) => {
  expect(isAbout(clause, [verb], ISSUE)).toBe(true);
});

test.each([
  ["close issue 4", "close"],
  ["close the order", "close"],
  ["tell bob the close date of issue 3", "close"],
  ["archive lock 3 of issue 3", "lock"],
  ["give access to lock 3 of issue 3", "lock"],
  ["archive issue lock", "lock"],
  ["see no lock of issue 3", "lock"],
])("[YP113] “%s” does not ask to %s issue 3", (clause, verb) => {
  expect(isAbout(clause, [verb], ISSUE)).toBe(false);
});

test.each([
  ["make him an admin", true],
  ["give the reviewer of issue 3 admin rights", true],
  ["make user 9 an admin", false],
  ["give eve@x.example admin rights", false],
])("[YP117] a state is said of nothing else: “%s” %j", (clause, isSaid) => {
  expect(isAbout(clause, ["admin"], { ...ISSUE, isState: true })).toBe(isSaid);
});

test("[YP117] an id with letters is a name; an empty name is none", () => {
  expect(isAbout("close f-2", ["close"], { names: ["f-2"], kinds: [] })).toBe(true);
  expect(isAbout("close f-3", ["close"], { names: ["f-2", "…"], kinds: [] })).toBe(false);
  expect(isAbout("close #3", ["close"], { names: ["#3"], kinds: [] })).toBe(true);
});
