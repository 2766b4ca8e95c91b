import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sessionKeyOf, type SessionOrigin } from "./session-key.ts";

test.each([
  [{ channel: "terminal", sender: "default" }, "terminal--default"],
  [{ channel: "telegram", sender: "123456" }, "telegram--123456"],
  [{ channel: "telegram", group: "-100123" }, "telegram--~2d100123"],
  [{ channel: "slack", group: "C123", thread: "1700000000.000100" }, "slack--C123--1700000000.000100"],
  [{ channel: "discord", sender: "zoë/../x" }, "discord--zo~c3~ab~2f..~2fx"],
] satisfies [SessionOrigin, string][])("[A45] the key of %o is %s", (origin, key) => {
  expect(sessionKeyOf(origin)).toBe(key);
});

test("[A45] every key is safe as a file's name, and no two places share one", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "B", "-", "~", "2", "d", "/", "é", "𝒳", " "),
    minLength: 1,
  });
  const origin: fc.Arbitrary<SessionOrigin> = fc.oneof(
    fc.record({ channel: name, sender: name }),
    fc.record({ channel: name, group: name, thread: name }),
  );
  fc.assert(
    fc.property(origin, origin, (one, other) => {
      expect(sessionKeyOf(one)).toMatch(/^[A-Za-z0-9._~-]+$/);
      expect(sessionKeyOf(one) === sessionKeyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: 2_000 },
  );
});

test("[A45] a place without a name is a bug of its channel's", () => {
  expect(() => sessionKeyOf({ channel: "telegram", sender: "" })).toThrow("empty");
});
