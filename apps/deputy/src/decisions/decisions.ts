import type { GrantId, TaskId } from "@deputy/kit";
import type { ApprovalAnswer, ApprovalId, CreateTask, Task } from "@deputy/protocol";
import type { TaskChange } from "@deputy/tasks";

/**
 * Answers questions, revokes grants, and adds and cancels tasks. Rejects with `already_decided` when something else
 * was decided before or it has ended by itself, and with `not_found` when it does not exist. Deciding the same twice
 * is not an error. Durable once resolved.
 */
export interface Decisions extends AsyncDisposable {
  /** True when a running daemon acts on the decision at once. */
  readonly isLive: boolean;
  answer(id: ApprovalId, answer: ApprovalAnswer, signal: AbortSignal): Promise<void>;
  revoke(id: GrantId, signal: AbortSignal): Promise<void>;
  /** A task that does not run at once. Rejects like the task service. */
  add(task: CreateTask, signal: AbortSignal): Promise<Task>;
  cancel(id: TaskId, signal: AbortSignal): Promise<void>;
  /** Pauses, resumes, runs or edits a task. Rejects like the task service, too. */
  change(id: TaskId, change: TaskChange, signal: AbortSignal): Promise<void>;
}
