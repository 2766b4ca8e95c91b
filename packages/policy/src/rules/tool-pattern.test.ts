import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isCovered } from "./shadowed-rules.ts";
import { patternNames, readToolPattern, TOOL_PATTERN } from "./tool-pattern.ts";

const PATHS = [
  "github.issues.close",
  "github.issues.list",
  "github.user",
  "lamp",
  "mail",
  "mail.read",
  "mail.send",
];

test.each([
  ["**", PATHS],
  ["*", ["lamp", "mail"]],
  ["lamp", ["lamp"]],
  ["mail", ["mail", "mail.read", "mail.send"]],
  ["mail.*", ["mail.read", "mail.send"]],
  ["mail.**", ["mail", "mail.read", "mail.send"]],
  ["github.issues", ["github.issues.close", "github.issues.list"]],
  ["github.*.*", ["github.issues.close", "github.issues.list"]],
  ["**.close", ["github.issues.close"]],
  ["**.mail", ["mail"]],
  ["github.**.user", ["github.user"]],
  ["*.s*d", ["mail.send"]],
  ["*.*s*e*", ["github.user", "mail.send"]],
  ["**.**.send", ["mail.send"]],
  ["mail.se*nd", ["mail.send"]],
  ["mail.s*n*d", ["mail.send"]],
  ["mail.*e*e*", []],
  ["mail.se*end", []],
  ["mail.*d*d", []],
  ["mai", []],
  ["MAIL", []],
  ["github.issues.clos", []],
])("[YR12] %s is %j", (pattern, paths) => {
  expect(PATHS.filter((path) => readToolPattern(pattern).fits(path))).toEqual(paths);
});

test("[YR12] many stars take no time", () => {
  expect(readToolPattern(`${"*a".repeat(40)}*b`).fits("a".repeat(64))).toBe(false);
  expect(readToolPattern(Array.from({ length: 40 }, () => "**").join(".")).fits("a")).toBe(true);
  const path = Array.from({ length: 40 }, () => "a").join(".");
  expect(readToolPattern(`${"**.a.".repeat(20)}b`).fits(path)).toBe(false);
  expect(readToolPattern(`${"**.a.".repeat(20)}**`).fits(path)).toBe(true);
});

test("[YR12] a pattern says all its names, and any number of names once", () => {
  expect(patternNames("mail.send")).toEqual(["mail", "send", "**"]);
  expect(patternNames("mail.*")).toEqual(["mail", "*"]);
  expect(patternNames("**.**.a.**.b.**.**.**")).toEqual(["**", "a", "**", "b", "**"]);
});

test("[YR12] what can be a pattern", () => {
  for (const pattern of ["**", "a", "a.*", "a.**.b-c", "$x_1.*y*"]) expect(pattern).toMatch(TOOL_PATTERN);
  for (const pattern of ["", "!a", "a.", ".a", "a..b", "a b", "a/b"])
    expect(pattern).not.toMatch(TOOL_PATTERN);
});

const name = fc.constantFrom("a", "b", "ab", "ba", "aa");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("."));
const pattern = fc
  .array(fc.constantFrom("a", "b", "*", "**", "a*", "*b", "a*b", "*a*"), { minLength: 1, maxLength: 4 })
  .map((names) => names.join("."));

test("[YR13] what is covered fits wherever the covered one does", () => {
  fc.assert(
    fc.property(pattern, fc.array(pattern, { maxLength: 3 }), path, (inner, others, at) => {
      if (!isCovered(inner, others) || !readToolPattern(inner).fits(at)) return;
      expect(others.some((other) => readToolPattern(other).fits(at))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["mail", ["**"], true],
  ["mail", ["mail"], true],
  ["mail.send", ["mail"], true],
  ["mail.*", ["mail"], true],
  ["mail", ["mail.*"], false],
  ["mail.**", ["mail"], true],
  ["mail", ["mail.**"], true],
  ["*.send", ["**.send"], true],
  ["**.send", ["*.send"], false],
  ["**", ["*", "*.**"], true],
  ["**", ["*", "*.*.**"], true],
  ["**", ["*", "*.*.*.**"], false],
  ["*", ["*a*"], false],
  ["a*", ["*"], true],
  ["a*b", ["a*"], true],
  ["ab*", ["a*", "b*"], true],
  ["*", ["a", "b"], false],
  ["mail.send", ["mail.sendAll"], false],
  ["mail.sendAll", ["mail.send"], false],
  ["mail.send*", ["mail.send"], false],
  ["**.a.**", ["**"], true],
  ["a", [], false],
] as const)("[YR13] %s is covered by %j: %s", (inner, others, covered) => {
  expect(isCovered(inner, others)).toBe(covered);
});

test("[YR13] patterns that would take too long are taken as not covered, even by themselves", () => {
  const long = (names: number): string =>
    Array.from({ length: names }, (_, at) => `*${"ab".repeat(at)}c*`).join(".**.");
  expect(isCovered(long(4), [long(4)])).toBe(true);
  expect(isCovered(long(12), [long(12)])).toBe(false);
});
