import { createLandmarkView, type LandmarkView } from "@deputy/agent";
import type { EventLog } from "@deputy/protocol";
import { applyTaskLandmark, createTasksView, TASK_LANDMARKS, type TasksView } from "./tasks-view.ts";

/** Every task in the log, brought up to date on each look. One process needs one of it. */
export function openTasksView(log: Pick<EventLog, "readAll">): LandmarkView<TasksView> {
  return createLandmarkView(log, TASK_LANDMARKS, createTasksView(), applyTaskLandmark);
}
