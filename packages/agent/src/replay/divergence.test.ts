import * as fc from "fast-check";
import { expect, test } from "vitest";
import { firstDifference } from "./divergence.ts";
import { isSameButRedacted } from "./divergence.ts";

test("[A82] a difference is named by its place, with both sides", () => {
  expect(firstDifference("it", { a: [1, { b: "x" }] }, { a: [1, { b: "y" }] })).toEqual({
    what: "it.a[1].b",
    expected: "x",
    came: "y",
  });
  expect(firstDifference("it", { a: 1 }, { a: 1, b: null })).toEqual({
    what: "it.b",
    expected: "nothing",
    came: "null",
  });
  expect(firstDifference("it", [1, 2], [1])).toEqual({ what: "it[1]", expected: "2", came: "nothing" });
  expect(firstDifference("it", { valueOf: 0 }, {})).toEqual({
    what: "it.valueOf",
    expected: "0",
    came: "nothing",
  });
  expect(firstDifference("it", {}, [])).toEqual({ what: "it", expected: "{}", came: "[]" });
});

test("[A82] of long texts, what stands around their first difference is shown", () => {
  const same = "a".repeat(1_000);
  const difference = firstDifference("text", `${same}X${same}`, `${same}Y${same}`);
  expect(difference?.expected).toMatch(/^…a{40}Xa+…$/);
  expect(difference?.came).toMatch(/^…a{40}Ya+…$/);
  expect(difference?.came.length).toBeLessThan(250);
});

test("[A82] what is equal has no difference, whatever it is; what is not has one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [one, same, other] = [a, a, b].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
      expect(firstDifference("it", one, same)).toBeUndefined();
      const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      expect(firstDifference("it", one, other) === undefined).toBe(isEqual);
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)]);
  // Not a list: an empty object is no empty list.
  return { members: members.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) };
}

test.each([
  ["key: [redacted]!", "key: sk-123!", true],
  ["key: [redacted]!", "key: sk-123?", false],
  ["[redacted] and [redacted]", "one and two", true],
  ["[redacted] and [redacted]", "one or two", false],
  ["a[redacted]a", "a", false],
  ["a[redacted]", "b", false],
  ["plain", "plain ", false],
  ["x [redacted] yy…", "x sk-123456789 y…", true],
  ["x [redacted] y… (900 characters in all)", "x sk-1 yy… (900 characters in all)", true],
  ["w [redacted] yy…", "x sk-123456789 y…", false],
])("[A85] %j is %j but for what was redacted: %s", (recorded, raw, isSame) => {
  expect(isSameButRedacted(recorded, raw)).toBe(isSame);
});

test("[A85] a name that was redacted is one of the others", () => {
  expect(firstDifference("it", { "[redacted]": 1, a: 2 }, { "sk-1": 1, a: 2 })).toBeUndefined();
  expect(firstDifference("it", { "[redacted]": 1, a: 2 }, { "sk-1": 1, a: 3 })).toMatchObject({
    what: "it.a",
  });
});
