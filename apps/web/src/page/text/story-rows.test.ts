import type { StoryLine } from "@deputy/protocol";
import { expect, test } from "vitest";
import { storyRows } from "./story-rows.ts";

const at = "2026-11-19T09:00:00.000Z";
const told = (kind: StoryLine["kind"], text: string): StoryLine => ({ at, kind, text });
const slot = (how: "ran" | "skipped"): StoryLine => ({
  ...told("run", how),
  slot: { how, dueAt: at, reason: "on time", seq: 2 },
});
const shownAs = (lines: readonly StoryLine[]) =>
  storyRows(lines).map(({ line, steps }) => [line.text].concat(steps.map(({ text }) => text)));

test("[W56] what a run did stands with it, although the task was paused and skipped times meanwhile", () => {
  const lines = [
    told("task", "Asked for: Count"),
    slot("ran"),
    told("task", "Paused by owner"),
    slot("skipped"),
    told("step", "Said: Seven"),
  ];
  expect(shownAs(lines)).toEqual([
    ["Asked for: Count"],
    ["ran", "Said: Seven"],
    ["Paused by owner"],
    ["skipped"],
  ]);
});

test("[W56] of a task that runs at once, everything stands with its beginning", () => {
  const lines = [told("task", "Asked for: Count"), told("step", "Said: Seven"), told("task", "Done")];
  expect(shownAs(lines)).toEqual([["Asked for: Count", "Said: Seven"], ["Done"]]);
});
