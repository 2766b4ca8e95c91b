import type { TaskId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type LandmarkType,
  type StreamId,
  type Task,
} from "@deputy/protocol";

/** Every task, as the log's landmarks tell it. */
export interface TasksView {
  readonly byId: Map<TaskId, TaskEntry>;
  readonly byStream: Map<StreamId, TaskEntry>;
}

export interface TaskEntry {
  readonly task: Omit<Task, "status">;
  readonly created: EventData<"task.created">;
  /** As soon as it is certain: a cancelled task may still have its last events to come. */
  outcome: Outcome | undefined;
  /** How its last turn ended, if it did. */
  turnOutcome: Outcome | undefined;
  /** Whether `task.completed` is in the log. */
  closed: boolean;
  readonly waitingFor: Set<string>;
}

type Outcome = "succeeded" | "failed" | "cancelled";

const TURN_OUTCOMES = {
  "turn.completed": "succeeded",
  "turn.failed": "failed",
  "turn.aborted": "cancelled",
} as const;

export const TASK_LANDMARKS: readonly LandmarkType[] = [
  "task.created",
  "task.cancelled",
  "task.completed",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
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
      created: event.data,
      outcome: undefined,
      turnOutcome: undefined,
      closed: false,
      waitingFor: new Set(),
    };
    view.byId.set(id, entry);
    view.byStream.set(event.stream, entry);
    return;
  }
  const entry = view.byStream.get(event.stream);
  if (entry === undefined) return;
  switch (event.type) {
    case "task.cancelled":
      entry.outcome ??= "cancelled";
      break;
    case "task.completed":
      entry.outcome ??= event.data.outcome;
      entry.closed = true;
      break;
    case "turn.completed":
    case "turn.failed":
    case "turn.aborted":
      entry.turnOutcome = TURN_OUTCOMES[event.type];
      break;
    case "approval.requested":
      entry.waitingFor.add(event.data.approvalId);
      break;
    case "approval.resolved":
      entry.waitingFor.delete(event.data.approvalId);
      break;
    default:
  }
}

export function toTask(entry: TaskEntry): Task {
  return { ...entry.task, status: entry.outcome ?? (entry.waitingFor.size > 0 ? "waiting" : "running") };
}
