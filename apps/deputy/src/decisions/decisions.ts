import type { GrantId, TaskId } from "@deputy/kit";
import type { ApprovalAnswer, ApprovalId, CreateTask, Task } from "@deputy/protocol";

/**
 * Where questions are answered, grants taken back, tasks added for later and cancelled. What was decided otherwise before, or
 * ended by itself, rejects with `already_decided`, and what is not there with `not_found`; deciding the same
 * twice is no error. Durable once resolved.
 */
export interface Decisions extends AsyncDisposable {
  /** Whether somebody goes on at once with what is decided here. */
  readonly isLive: boolean;
  answer(id: ApprovalId, answer: ApprovalAnswer, signal: AbortSignal): Promise<void>;
  revoke(id: GrantId, signal: AbortSignal): Promise<void>;
  /** One that does not run at once. Rejects as the task service does. */
  add(task: CreateTask, signal: AbortSignal): Promise<Task>;
  cancel(id: TaskId, signal: AbortSignal): Promise<void>;
}
