import { expect, test } from "vitest";
import { nearestNames } from "./command-line.ts";

const NAMES = ["github", "github.issues", "github.issues.close", "github.issues.list", "mail.send", "mail"];

test.each([
  ["github.isues", ["github.issues"]],
  ["GitHub.Issues.Close", ["github.issues.close"]],
  ["github.issues.clsoe", ["github.issues.close"]],
  ["close", ["github.issues.close"]],
  ["issues.lists", ["github.issues.list"]],
  ["mial", ["mail"]],
  ["mail.sned", ["mail.send"]],
  ["calendar", []],
  ["", []],
])("[E51] %j is near %j", (wanted, near) => {
  const found = nearestNames(wanted, NAMES);
  expect(found.slice(0, Math.max(near.length, 1))).toEqual(near);
});

test("[E51] the nearest come first, and never more than three", () => {
  const found = nearestNames("aaaaaaaaaaaa", [
    "aaaaaaaaaabb",
    "aaaaaaaaaaab",
    "aaaaaaaaaaaa",
    "aaaaaaaaaccc",
  ]);
  expect(found).toEqual(["aaaaaaaaaaaa", "aaaaaaaaaaab", "aaaaaaaaaabb"]);
});
