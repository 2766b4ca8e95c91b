import type { TaskId } from "@deputy/kit";
import { type CanonicalEvent, type LandmarkType, type StreamId, type Task } from "@deputy/protocol";

/** Every task, as the log's landmarks tell it. */
export interface TasksView {
  readonly byId: Map<TaskId, TaskEntry>;
  readonly byStream: Map<StreamId, TaskEntry>;
}

export interface TaskEntry {
  readonly task: Omit<Task, "status">;
  readonly sessionKey: string;
  outcome: "succeeded" | "failed" | "cancelled" | undefined;
  readonly waitingFor: Set<string>;
}

export const TASK_LANDMARKS: readonly LandmarkType[] = [
  "task.created",
  "task.cancelled",
  "task.completed",
  "approval.requested",
  "approval.resolved",
];

export function createTasksView(): TasksView {
  return { byId: new Map(), byStream: new Map() };
}

export function applyTaskLandmark(view: TasksView, event: CanonicalEvent): void {
  if (event.type === "task.created") {
    const { taskId: id, kind, prompt, agentId } = event.data;
    const entry: TaskEntry = {
      task: { id, kind, prompt, agentId, stream: event.stream, createdAt: event.at },
      sessionKey: event.data.sessionKey ?? `task:${id}`,
      outcome: undefined,
      waitingFor: new Set(),
    };
    view.byId.set(id, entry);
    view.byStream.set(event.stream, entry);
    return;
  }
  const entry = view.byStream.get(event.stream);
  if (entry === undefined) return;
  if (event.type === "task.cancelled") entry.outcome ??= "cancelled";
  if (event.type === "task.completed") entry.outcome ??= event.data.outcome;
  if (event.type === "approval.requested") entry.waitingFor.add(event.data.approvalId);
  if (event.type === "approval.resolved") entry.waitingFor.delete(event.data.approvalId);
}

export function toTask(entry: TaskEntry): Task {
  return { ...entry.task, status: entry.outcome ?? (entry.waitingFor.size > 0 ? "waiting" : "running") };
}
