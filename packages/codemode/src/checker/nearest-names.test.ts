import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearestNames, nearestPaths } from "./nearest-names.ts";

test("[C71] suggests names that differ by a typo, case or separators", () => {
  const names = ["title", "body", "createdAt", "labels", "state"];
  expect(nearestNames("titel", names)).toEqual(["title"]);
  expect(nearestNames("Titel", names)).toEqual(["title"]);
  expect(nearestNames("created_at", names)).toEqual(["createdAt"]);
  expect(nearestNames("label", names)).toEqual(["labels"]);
  expect(nearestNames("status", names)).toEqual(["state"]);
  expect(nearestNames("atCreated", names)).toEqual(["createdAt"]);
});

test("[C71] does not suggest names that are not alike", () => {
  expect(nearestNames("assignee", ["title", "body"])).toEqual([]);
  expect(nearestNames("x", ["title", "y"])).toEqual(["y"]);
  expect(nearestNames("title", ["title"])).toEqual([]);
  expect(nearestNames("", ["abc"])).toEqual([]);
});

test("[C71] suggests at most three, best first, in a stable order", () => {
  expect(nearestNames("metric_x", ["metric_3", "metric_1", "metric_2", "metric_0"])).toEqual([
    "metric_0",
    "metric_1",
    "metric_2",
  ]);
  expect(nearestNames("list", ["listing", "last", "lists"])).toEqual(["lists", "last", "listing"]);
});

test("[C71] finds a path by its last name, and by its words in any order", () => {
  const paths = ["issues.list", "issues.close", "mail.send", "github.issues.close"];
  expect(nearestPaths("close", paths)).toEqual(["issues.close", "github.issues.close"]);
  expect(nearestPaths("email.send", paths)).toEqual(["mail.send"]);
  expect(nearestPaths("listIssues", paths)).toEqual(["issues.list"]);
  expect(nearestPaths("issues.lst", paths)).toEqual(["issues.list"]);
  expect(nearestPaths("tracker.isues.list", ["tracker.getIssue", "tracker.listIssues"])).toEqual([
    "tracker.listIssues",
  ]);
  expect(nearestPaths("weather.today", paths)).toEqual([]);
});

test("[C71] ignores a last name that all paths share", () => {
  const paths = ["a", "b", "c", "d"].map((group) => `${group.repeat(9)}.list`);
  expect(nearestPaths("zzzzzzzzz.list", paths)).toEqual([]);
  expect(nearestPaths("aaaaaaaab.list", paths)).toEqual([
    "aaaaaaaaa.list",
    "bbbbbbbbb.list",
    "ccccccccc.list",
  ]);
});

test("[C72] suggests only existing names, however odd", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (wanted, names) => {
      for (const near of [nearestNames(wanted, names), nearestPaths(wanted, names)]) {
        expect(near.length).toBeLessThanOrEqual(3);
        for (const name of near) expect(names).toContain(name);
      }
    }),
  );
});
