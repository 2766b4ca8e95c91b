import type { Task } from "@deputy/protocol";

export const STATUS_WORDS: Readonly<Record<Task["status"], string>> = {
  running: "running",
  waiting: "waits for you",
  scheduled: "scheduled",
  paused: "paused",
  succeeded: "done",
  failed: "failed",
  cancelled: "cancelled",
};

/** What came of a run. */
export const OUTCOME_WORDS: Readonly<Record<NonNullable<Task["last"]>["outcome"], string>> = {
  succeeded: "done",
  failed: "failed",
  cancelled: "was stopped",
};

const OPEN: ReadonlySet<Task["status"]> = new Set(["running", "waiting", "scheduled", "paused"]);

/** It runs, or may run again. */
export const isOpenTask = ({ status }: Pick<Task, "status">): boolean => OPEN.has(status);

/** How a task is called: what it was asked for first. */
export function taskTitle({ prompt }: Pick<Task, "prompt">): string {
  return prompt.trim().split("\n", 1)[0] ?? "";
}
