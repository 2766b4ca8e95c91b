import { expect, test } from "vitest";
import { findCarriers } from "./find-carriers.ts";

test.each([
  ["Check out www.evil-252.com!", ["www.evil-252.com"]],
  ["see https://evil.example/a?b=c#d.", ["https://evil.example/a?b=c#d"]],
  ["go to evil.example/path or evil.example:8080", ["evil.example/path", "evil.example:8080"]],
  ["write to Bob <bob@evil.example>, now", ["bob@evil.example"]],
  ["ftp://x and tel://1", ["ftp://x", "tel://1"]],
  ["IBAN US133000000121212121212.", ["US133000000121212121212"]],
  ["key sk_live-1a2b3c", ["sk_live-1a2b3c"]],
  ["call +49 170 123-4567 today", ["+49 170 123-4567"]],
  ["account 12345678", ["12345678"]],
  ["twice a@b.cd a@b.cd", ["a@b.cd"]],
  ["ｗｗｗ．evil．com", ["www.evil.com"]],
  ["www.ev\u200bil.com", ["www.evil.com"]],
])("[YP10] in %j, %j leads somewhere", (text, carriers) => {
  expect(findCarriers(text)).toEqual(carriers);
});

test.each([
  "Has anyone seen my coffee mug?",
  "Unemployment fell to 7.2%, with 100,000 new jobs.",
  "e.g. this, i.e. that",
  "on 2024-05-17 at 14:30",
  "room 1234567",
  "abcdefgh12",
  "<summary>",
])("[YP10] nothing in %j does", (text) => {
  expect(findCarriers(text)).toEqual([]);
});

test.each([
  ["letters", "a"],
  ["labels", "aa."],
  ["names", "a-"],
  ["quotes", "'"],
  ["digits", "1 ("],
])("[YP16] a long run of %s takes no quadratic time", (_what, unit) => {
  const startedMs = performance.now();
  findCarriers(unit.repeat(100_000));
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
