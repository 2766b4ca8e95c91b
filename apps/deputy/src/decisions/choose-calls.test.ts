import { createIdSource, createSystemClock } from "@deputy/kit";
import { expect, test } from "vitest";
import { chooseCalls } from "../commands/tasks/approvals.ts";

const ids = createIdSource({ clock: createSystemClock() });
const listed = Array.from({ length: 6 }, () => ids.next("call"));
const some = (...numbers: number[]) => numbers.map((n) => listed[n - 1]);

test.each([
  ["1", some(1)],
  ["5, 1-2", some(1, 2, 5)],
  ["3 - 4,3", some(3, 4)],
  [`${listed[3]},1`, some(1, 4)],
])("of a plan's six calls, chooses %j in the plan's order", (text, chosen) => {
  expect(chooseCalls(text, listed)).toEqual(chosen);
});

test.each(["", "0", "7", "3-1", "1,", "-1", "all", "1e0", ids.next("call"), "99999999999999999999"])(
  "%j names none of its calls",
  (text) => {
    expect(() => chooseCalls(text, listed)).toThrow(expect.objectContaining({ code: "usage" }));
  },
);
