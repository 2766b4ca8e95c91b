import type { TaskId } from "@deputy/kit";

/** The firing of a task that runs once: it begins with its run. */
export const ONLY_FIRING = "once";

/** By which of the templates a task runs; the number changes when one that is under way could not be gone on with. */
export type TaskTemplate = "oneShot_v1" | "recurring_v1" | "eventTriggered_v1";

/**
 * Durable runs of tasks: what was fired is advanced until it ends, whatever happens to this process. All
 * reject when their storage does; nothing was taken then.
 */
export interface TaskRuns extends AsyncDisposable {
  /** Idempotent by task. */
  start(template: TaskTemplate, taskId: TaskId): Promise<unknown>;
  /** Idempotent by task and firing. The firings of a task are advanced one after the other. */
  fire(taskId: TaskId, firingId: string): Promise<unknown>;
  /** An approval has its answer: whatever waits for it is advanced. Idempotent; unknown ones are passed over. */
  answered(approvalId: string): Promise<void>;
  /** Idempotent. What is being advanced is told by its signal. */
  cancel(taskId: TaskId): Promise<unknown>;
  /** Tasks that have not ended here. */
  open(): readonly string[];
}

/** Does the next part of a firing. Called again after a crash: it must not do twice what it has done. */
export type Advance = (
  firing: { readonly taskId: TaskId; readonly firingId: string },
  signal: AbortSignal,
) => Promise<Advanced>;

export type Advanced =
  /** `stop`: the task is over with it. */
  | { readonly kind: "ended"; readonly outcome: "succeeded" | "failed" | "cancelled"; readonly stop: boolean }
  /** It goes on once there is an answer, or after that time. */
  | { readonly kind: "waiting"; readonly approvalId: string; readonly timeoutMs: number };
