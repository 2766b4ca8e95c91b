import { expect, test } from "vitest";
import { createToolSet, TOOL_PATTERN } from "./tool-set.ts";

const PATHS = ["github.issues.close", "github.issues.list", "github.user", "lamp", "mail.read", "mail.send"];
const chosen = (...patterns: string[]) => PATHS.filter((path) => createToolSet(patterns).has(path));

test.each([
  [["**"], PATHS],
  [[], []],
  [["lamp"], ["lamp"]],
  [["mail"], ["mail.read", "mail.send"]],
  [["github.issues"], ["github.issues.close", "github.issues.list"]],
  [["github.*"], ["github.user"]],
  [["github.*.*"], ["github.issues.close", "github.issues.list"]],
  [["github.**"], ["github.issues.close", "github.issues.list", "github.user"]],
  [["**.close"], ["github.issues.close"]],
  [["*.s*d"], ["mail.send"]],
  [["*.*s*e*"], ["github.user", "mail.send"]],
  [["mai"], []],
  [["MAIL"], []],
  [["**", "!mail.send"], PATHS.filter((path) => path !== "mail.send")],
  [["!mail"], ["github.issues.close", "github.issues.list", "github.user", "lamp"]],
  [["!mail", "mail.read"], PATHS.filter((path) => path !== "mail.send")],
  [["mail.read", "!**"], []],
  [["github.issues.clos"], []],
  [["**.issues.**"], ["github.issues.close", "github.issues.list"]],
])("[A65] %j choose %j", (patterns, paths) => {
  expect(chosen(...patterns)).toEqual(paths);
});

test("[A65] patterns that choose nothing are told", () => {
  expect(createToolSet(["mail", "gitlab.**", "!lamp", "!lamb"]).idle(PATHS)).toEqual(["gitlab.**", "!lamb"]);
});

test("[A65] many stars take no time", () => {
  const set = createToolSet([`${"*a".repeat(40)}*b`, Array.from({ length: 40 }, () => "**").join(".")]);
  expect(set.has("a".repeat(64))).toBe(true);
  expect(createToolSet([`${"*a".repeat(40)}*b`]).has("a".repeat(64))).toBe(false);
});

test("[A65] what can be a pattern", () => {
  for (const pattern of ["**", "a", "a.*", "!a.**.b-c", "$x_1.*y*"]) expect(pattern).toMatch(TOOL_PATTERN);
  for (const pattern of ["", "!", "a.", ".a", "a..b", "a b", "a/b", "!!a", "a.***b x"])
    expect(pattern).not.toMatch(TOOL_PATTERN);
});
