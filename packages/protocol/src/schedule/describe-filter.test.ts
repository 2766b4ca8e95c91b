import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeFilter } from "./describe-schedule.ts";

test.each([
  [{}, ""],
  [{ folder: "inbox" }, 'folder "inbox"'],
  [
    { action: "opened", repository: { name: "site", id: 7 } },
    'action "opened" and repository.name "site" and repository.id 7',
  ],
  [
    { "a.b": true, labels: ["x"], owner: null, made: {} },
    '"a.b" true and labels ["x"] and owner null and made {}',
  ],
  [{ subject: 'x" and from "y\n' }, 'subject "x\\" and from \\"y\\n"'],
])("[P54] a filter is told in words: %j", (filter, words) => {
  expect(describeFilter(filter)).toBe(words);
});

test("[P54] filters that are told alike are alike", () => {
  const filters = fc.dictionary(
    fc.constantFrom("a", "b", "a.b", 'a" and b'),
    fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constantFrom("x", 'x" and a "y', 1, null),
        fc.dictionary(fc.constantFrom("a", "b", "a.b"), tie("value")),
      ),
    })).value,
  );
  fc.assert(
    fc.property(filters, filters, (one, other) => {
      if (describeFilter(one) === describeFilter(other)) expect(one).toEqual(other);
    }),
  );
});
