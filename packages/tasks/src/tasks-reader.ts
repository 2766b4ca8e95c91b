import { createLandmarkView } from "@deputy/agent";
import type { TaskId } from "@deputy/kit";
import type { EventLog, Task } from "@deputy/protocol";
import type { TaskService } from "./task-service.ts";
import { applyTaskLandmark, createTasksView, TASK_LANDMARKS, toTask } from "./tasks-view.ts";

/** Tasks as they stand in a log that somebody else may be writing to. Both reject as the log does. */
export function createTasksReader(log: Pick<EventLog, "readAll">): Pick<TaskService, "list" | "get"> {
  const view = createLandmarkView(log, TASK_LANDMARKS, createTasksView(), applyTaskLandmark);
  return {
    async list(): Promise<readonly Task[]> {
      return [...(await view.current()).state.byId.values()].map(toTask).reverse();
    },
    async get(id: TaskId): Promise<Task | undefined> {
      const entry = (await view.current()).state.byId.get(id);
      return entry === undefined ? undefined : toTask(entry);
    },
  };
}
