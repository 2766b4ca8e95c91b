import { createLogView, type LogView } from "@deputy/agent";
import type { TaskId } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";
import {
  applyTaskEvent,
  createTasksView,
  packTasks,
  TASK_EVENTS,
  type TaskEntry,
  type TasksView,
  unpackTasks,
} from "./tasks-view.ts";

/** Tasks as the log's indexed events describe them. Share one view between several readers. */
export function openTasksView(log: Pick<EventLog, "readAll" | "snapshots">): LogView<TasksView> {
  const kept = { name: "tasks 2", pack: packTasks, unpack: unpackTasks };
  return createLogView(log, TASK_EVENTS, createTasksView(), applyTaskEvent, kept);
}

/** Any task that ever existed: those that the view has dropped are read from the log. Rejects like the log. */
export async function findTask(
  log: Pick<EventLog, "readAll" | "read">,
  { byId, hasForgotten }: TasksView,
  id: TaskId,
): Promise<TaskEntry | undefined> {
  const known = byId.get(id);
  if (known !== undefined || !hasForgotten) return known;
  for await (const { event } of log.readAll({ types: ["task.created"] })) {
    const read = readEvent(event);
    if (read.kind !== "known" || read.event.type !== "task.created" || read.event.data.taskId !== id)
      continue;
    const own = createTasksView();
    for await (const stored of log.read(event.stream)) {
      const one = readEvent(stored);
      if (one.kind === "known") applyTaskEvent(own, one.event);
    }
    return own.byId.get(id);
  }
  return undefined;
}
