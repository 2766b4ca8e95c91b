import { createIdSource, createSystemClock } from "@deputy/kit";
import { expect, test } from "vitest";
import { parseApproval, parseSome } from "./approver.ts";

const ids = createIdSource({ clock: createSystemClock() });
const calls = Array.from({ length: 6 }, () => ids.next("call"));
const some = (...numbers: number[]) => numbers.map((n) => calls[n - 1]);

test.each([
  ["1", some(1)],
  ["1,3-5", some(1, 3, 4, 5)],
  [" 2 , 4 - 6 ", some(2, 4, 5, 6)],
  ["1-6", some(1, 2, 3, 4, 5, 6)],
  ["2,2,1-2", some(2, 1)],
])("of a plan, %j approves those calls", (line, named) => {
  expect(parseSome(line, calls)).toEqual({ decision: "approved", calls: named });
});

test("the rest of the line is the reason for the others", () => {
  expect(parseSome("1 keep the rest", calls)).toEqual({
    decision: "approved",
    calls: some(1),
    reason: "keep the rest",
  });
});

test.each(["", "y", "n no", "0", "7", "5-9", "3-1", "1,", "-1", "1;2", "99999999999999999999"])(
  "%j is no choice among six calls",
  (line) => {
    expect(parseSome(line, calls)).toBeUndefined();
  },
);

const request = {
  type: "approval_request" as const,
  id: calls[0]!,
  toolPath: "mail.send",
  input: {},
  preview: { title: "Send it" },
};

test.each([
  ["y", { decision: "approved" }],
  ["S", { decision: "approved", scope: "session" }],
  ["no not now", { decision: "denied", reason: "not now" }],
  ['a {"size":"xl"}', { decision: "approved", scope: "once", result: { value: { size: "xl" } } }],
])("%j answers a question", (line, answer) => {
  expect(parseApproval(line, request)).toEqual(answer);
});

test.each(["yes please send it to Bob instead", "session 4", "1", "send it", "", "a", "a size xl"])(
  "%j does not: a sentence is no answer",
  (line) => {
    expect(parseApproval(line, request)).toBeUndefined();
  },
);
