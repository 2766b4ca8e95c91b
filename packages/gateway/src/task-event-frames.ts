import { type EventLog, projectTaskEvents, type Task } from "@deputy/protocol";
import { groupFrame } from "./event-frame.ts";
import type { EventFrames } from "./route.ts";

const ended: ReadonlySet<Task["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/** A task's events as server-sent events, from the log and then live, through its `completed`. */
export function taskEventFrames(log: EventLog, task: Task, after: number): EventFrames {
  // The cursor of an ended task may lie at its `completed`; that is found by reading from the start.
  const from = ended.has(task.status) ? 0 : after;
  return async function* frames(signal) {
    for await (const item of log.subscribe(task.stream, { after: from }, signal)) {
      if (item.kind === "delta") continue;
      const { seq } = item.event;
      const projected = projectTaskEvents(item.event);
      if (seq > after && projected.length > 0) yield groupFrame(projected, seq);
      if (projected.some(({ type }) => type === "completed")) return;
    }
  };
}
