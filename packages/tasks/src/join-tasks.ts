import type { LogTaskService } from "./log-task-service.ts";
import type { RepeatingTasks } from "./repeating/repeating-tasks.ts";
import type { TaskRequest } from "./task-service.ts";

/** One service for tasks that run at once and tasks that run later. */
export function joinTasks(now: LogTaskService, later: RepeatingTasks): LogTaskService {
  return {
    ...now,
    create: async (request) => await (runsLater(request) ? later.create(request) : now.create(request)),
    cancel: async (id, by) => (await later.cancel(id, by)) ?? (await now.cancel(id, by)),
    change: async (id, change, by) =>
      (await later.change(id, change, by)) ?? (await now.change(id, change, by)),
    [Symbol.asyncDispose]: () => now[Symbol.asyncDispose](),
  };
}

function runsLater({ kind, schedule, hook }: TaskRequest): boolean {
  return schedule !== undefined || hook !== undefined || (kind !== undefined && kind !== "one-shot");
}
