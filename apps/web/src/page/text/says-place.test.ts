import { expect, test } from "vitest";
import { saysPlace } from "./says-place.ts";

test.each([
  ["https://example.org/a", "example.org", true],
  ["example.org", "example.org", true],
  ["Example.org/a?b", "example.org", true],
  ["mailto:ada@example.org", "ada@example.org", true],
  ["paypal.com", "l.com", false],
  ["example.org.evil.net", "example.org", false],
  ["example.org:8080", "example.org", false],
  ["https://example.org@evil.net", "example.org", false],
  ["see evil.net, which is not example.org", "example.org", false],
])("[W55] whether “%s” says that it leads to %s: %s", (text, place, says) => {
  expect(saysPlace(text, place)).toBe(says);
});
