import { expect, test } from "vitest";
import { createRedactor } from "../redactor.ts";

/** Generous: work that grows with the square would give 4, and 16 over both doublings. */
const MOST_FOR_FOUR_TIMES = 9;
const SHORT = 60_000;
const RUNS = 3;

const redactor = createRedactor(["k".repeat(40)]);

test.each([
  ["a letter", "a"],
  ["quotes", "\"'`"],
  ["white space", " \n"],
  ["base64", "QUJDREVGR0hJSktM+/"],
  ["a prefix", ["gh", "p_"].join("")],
  ["a prefix that may go on", "sk-proj-"],
  ["words in words", "secrettokenkeyapi"],
  ["assignments", "key="],
  ["open quotes", 'password="'],
  ["key headers", "-----BEGIN PRIVATE KEY----- "],
  ["half headers", "-----BEGIN "],
  ["manifests", "kind: secret data: x: "],
  ["commands", 'curl -u "'],
  ["headers", "authorization: bearer "],
  ["addresses", "://a:b"],
  ["JWT beginnings", "eyaaaaaaaaaaaaaaaaaaaa.ey-"],
  ["vendors", "twitter=sumo:"],
  ["a known value's letter", "k"],
])("[YX6] %s: four times the text takes about four times the work", (_what, unit) => {
  const cost = (chars: number): number => {
    const text = unit.repeat(Math.ceil(chars / unit.length));
    const costs = Array.from({ length: RUNS }, () => {
      const before = process.cpuUsage();
      redactor.text(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...costs);
  };
  cost(SHORT);
  expect(cost(4 * SHORT)).toBeLessThan(MOST_FOR_FOUR_TIMES * Math.max(cost(SHORT), 1_000));
});
