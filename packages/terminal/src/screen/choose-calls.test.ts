import { createIdSource, createSystemClock } from "@deputy/kit";
import type { TaskEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { NO_STYLES } from "../show/styles.ts";
import { createCallChooser } from "./choose-calls.ts";

const ids = createIdSource({ clock: createSystemClock() });

type Request = Extract<TaskEvent, { type: "approval_request" }>;

/** Seventeen labels: three stand there, the others are folded. */
function planOf(count: number): Request {
  const calls = Array.from({ length: count }, (_, at) => ({
    callId: ids.next("call"),
    toolPath: "mail.label",
    input: { id: at },
    preview: { title: `Label ${at}`, effect: "write" },
  }));
  return {
    type: "approval_request",
    id: "apr_1",
    toolPath: "plan",
    input: { kind: "plan", calls },
    preview: { title: "Label all" },
  } as unknown as Request;
}

const start = (count = 17) => {
  const chooser = createCallChooser(planOf(count));
  if (chooser === undefined) throw new Error("There is nothing to choose from");
  return { chooser, shown: () => chooser.lines(NO_STYLES, 200) };
};

test("nothing is marked at first; a mark is taken back", () => {
  const { chooser, shown } = start();
  expect(chooser.answer()).toBeUndefined();
  chooser.press("mark");
  expect(shown()[0]).toContain("❯ [x] 1.");
  expect(chooser.answer()).toBe("1");
  chooser.press("mark");
  expect(chooser.answer()).toBeUndefined();
});

test("folded calls are one row, marked together; unfolded, each has its own", () => {
  const { chooser, shown } = start();
  expect(shown()).toHaveLength(5);
  for (const _ of [1, 2, 3]) chooser.press("down");
  expect(shown()[3]).toBe("❯ [ ] 4-17. 14 more, all alike");
  chooser.press("mark");
  expect(chooser.answer()).toBe("4-17");
  chooser.press("open");
  chooser.press("mark");
  expect(chooser.answer()).toBe("5-17");
  expect(shown().join("\n")).toMatch(/❯ \[ \] 4\..*\n {2}\[x\] 5\./);
  chooser.press("close");
  expect(shown()[3]).toBe("❯ [~] 4-17. 14 more, all alike");
  chooser.press("all");
  expect(chooser.answer()).toBe("1-17");
  expect(shown().at(-1)).toContain("Enter approves 17 of 17");
});

test("of many rows those around the chosen one are shown", () => {
  const { chooser, shown } = start(40);
  for (const _ of [1, 2, 3]) chooser.press("down");
  chooser.press("open");
  for (let at = 0; at < 50; at += 1) chooser.press("down");
  expect(shown()).toHaveLength(11);
  expect(shown()[9]).toContain("❯ [ ] 40.");
  expect(shown()[10]).toContain("30 more rows");
});

test("a narrow window shows every key, and cuts what the calls are called", () => {
  const lines = start().chooser.lines(NO_STYLES, 30);
  expect(lines.every((line) => line.length <= 30)).toBe(true);
  const said = lines.join(" ").replaceAll(/\s+/g, " ");
  expect(said).toContain("none is marked; space marks, a all, ↑↓ move, → unfolds, ← folds, Esc leaves");
});
