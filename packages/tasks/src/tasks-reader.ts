import type { TaskId } from "@deputy/kit";
import type { EventLog, Task } from "@deputy/protocol";
import type { TaskService } from "./task-service.ts";
import { planOf } from "./repeating/open-repeating-task.ts";
import { findTask, openTasksView } from "./open-tasks-view.ts";
import { toTask } from "./tasks-view.ts";

/** Reads tasks from a log that another process may be writing to. All methods reject as the log does. */
export function createTasksReader(
  log: Pick<EventLog, "readAll" | "read">,
): Pick<TaskService, "list" | "get" | "plan"> {
  const view = openTasksView(log);
  return {
    async list(): Promise<readonly Task[]> {
      return [...(await view.current()).state.byId.values()].map(toTask).reverse();
    },
    async plan(id: TaskId) {
      const entry = await findTask(log, (await view.current()).state, id);
      return entry && planOf(entry, Date.now());
    },
    async get(id: TaskId): Promise<Task | undefined> {
      const entry = await findTask(log, (await view.current()).state, id);
      return entry === undefined ? undefined : toTask(entry);
    },
  };
}
