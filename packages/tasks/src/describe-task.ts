import type { CellId } from "@deputy/kit";
import {
  createTaskEndReducer,
  type EventLog,
  type Journal,
  type Task,
  type TaskDetail,
} from "@deputy/protocol";

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
