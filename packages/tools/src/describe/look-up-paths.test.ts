import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "../create-catalogue.ts";
import { defineTool } from "../define-tool.ts";
import { describePaths, lookUpPaths } from "./look-up-paths.ts";

const tool = defineTool({
  description: "Does it",
  approval: "auto",
  effect: "read",
  args: z.object({}),
  run: () => 1,
});
const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`call${n}`, tool]));
const catalogue = createCatalogue([
  { source: "test", tree: { tracker: { issues: { list: tool, close: tool } }, big: many } },
]);

test("[T70] a namespace stands for its tools, and `tools.` before a path is no part of it", () => {
  const { paths, notes } = lookUpPaths(catalogue, ["tracker", "tools.tracker.issues.list"]);
  expect(paths).toEqual(["tracker.issues.close", "tracker.issues.list"]);
  expect(notes).toEqual([]);
  expect(describePaths(catalogue, ["tracker"])).toMatch(/readonly close: [^]*readonly list: /);
});

test("[T70] a large namespace is listed", () => {
  const { paths, notes } = lookUpPaths(catalogue, ["big"]);
  expect(paths).toEqual([]);
  expect(notes).toEqual([
    expect.stringMatching(/^big has 80 tools; describe those you need: big\.call0, .*, and 20 more\.$/),
  ]);
});

test("[T70] for a path that does not exist the nearest ones are named, or else what its namespace has", () => {
  expect(describePaths(catalogue, ["tracker.issue.close"])).toBe(
    "// There is no tool tracker.issue.close. The nearest are tracker.issues.close.",
  );
  expect(describePaths(catalogue, ["tracker.milestones.burndown"])).toBe(
    "// There is no tool tracker.milestones.burndown. tracker has tracker.issues.close, tracker.issues.list.",
  );
  expect(describePaths(catalogue, ["big.zebra"])).toMatch(
    /^\/\/ There is no tool big\.zebra\. big has big\.call0, .*, and 68 more\.$/,
  );
  expect(describePaths(catalogue, ["zebra"])).toBe(
    "// There is no tool zebra. Search for one by what it does.",
  );
});
