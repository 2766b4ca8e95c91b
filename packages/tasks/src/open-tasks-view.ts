import { createLogView, type LogView } from "@deputy/agent";
import type { TaskId, CellId } from "@deputy/kit";
import {
  type EventLog,
  readEvent,
  createTaskEndReducer,
  type Journal,
  type Task,
  type TaskDetail,
} from "@deputy/protocol";
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

interface ReadableLog extends Pick<EventLog, "read"> {
  readonly journal: Pick<Journal, "read">;
}

const ENDED: ReadonlySet<Task["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/** A task with its outcome, once its end is in the log. Rejects as the log does. */
export async function describeTask(log: ReadableLog, task: Task): Promise<TaskDetail> {
  if (!ENDED.has(task.status)) return task;
  const reducer = createTaskEndReducer();
  for await (const event of log.read(task.stream)) reducer.apply(event);
  const ended = reducer.end();
  // A cancelled task may still get its last events.
  if (ended === undefined) return task;
  const whole = ended.resultIn === undefined ? {} : await wholeResult(log, ended.resultIn);
  return { ...task, ...ended.end, ...whole };
}

/** Undefined when the journal was erased: the redacted result of the event is used then. */
async function wholeResult(log: ReadableLog, cell: CellId): Promise<{ readonly result?: unknown }> {
  for await (const { kind, bytes } of log.journal.read(cell)) {
    if (kind === "result") return { result: JSON.parse(new TextDecoder().decode(bytes)) };
  }
  return {};
}
