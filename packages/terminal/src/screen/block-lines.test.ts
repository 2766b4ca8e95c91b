import { stripVTControlCharacters } from "node:util";
import { createIdSource } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { NO_STYLES } from "../show/styles.ts";
import { blockLines, formatDuration } from "./block-lines.ts";

const layout = (width: number, details: "short" | "whole" = "short") => ({
  width,
  styles: NO_STYLES,
  details,
});
const call = {
  kind: "call",
  toolPath: "github.issues.list",
  status: "succeeded",
  durationMs: 3_400,
  input: '{"state":"open"}',
  preview: "3 issues",
} as const;

test("a call is one row with how long it took, or all of it", () => {
  expect(blockLines(call, layout(80))).toEqual(["✓ github.issues.list  3.4 s  3 issues"]);
  expect(blockLines(call, layout(80, "whole"))).toEqual([
    "✓ github.issues.list  3.4 s",
    '    with {"state":"open"}',
    "    3 issues",
  ]);
});

test("an answer says whose it is, and how much of a plan it leaves out", () => {
  const id = createIdSource({ clock: createFakeClock() }).next("plan");
  const decision = { kind: "decision", id, decision: "approved", by: "owner" } as const;
  expect(blockLines(decision, layout(80))).toEqual(["  approved by owner"]);
  expect(blockLines({ ...decision, part: { approved: 2, of: 3 } }, layout(80))).toEqual([
    "  2 of 3 approved by owner",
  ]);
});

test("in a narrow window the path gives way, and how long it took stays", () => {
  const [row = ""] = blockLines({ ...call, preview: "" }, layout(20));
  expect(stripVTControlCharacters(row)).toBe("✓ github.iss…  3.4 s");
  for (const width of [12, 16, 20, 24, 40])
    for (const line of blockLines(call, layout(width))) expect(line).toContain("3.4 s");
});

test("a call that was denied did not run, so it took no time", () => {
  const [row = ""] = blockLines({ ...call, status: "denied", durationMs: 0, preview: "not now" }, layout(80));
  expect(stripVTControlCharacters(row)).toBe("⊘ github.issues.list  not now");
});

test("a program is a row that says how to see it, where there is room for that", () => {
  const program = { kind: "program", code: "const a = 1;\nreturn a;\n" } as const;
  expect(blockLines(program, layout(80))).toEqual(["", "▸ program, 2 lines (Ctrl-O shows it)"]);
  expect(blockLines(program, layout(24))).toEqual(["", "▸ program, 2 lines"]);
  expect(blockLines(program, layout(24, "whole"))).toEqual(["", "  │ const a = 1;", "  │ return a;"]);
});

test.each([
  [12, "12 ms"],
  [3_400, "3.4 s"],
  [125_000, "2 min 5 s"],
])("%d ms are %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
