import type { TaskId } from "@deputy/kit";
import type { CreateTask, EditTask, Schedule, ScheduleInput, Task } from "@deputy/protocol";

/** Work that outlives the request that asked for it. Its state is in the log. */
export interface TaskService {
  /**
   * Durable once resolved; the work itself continues in the background. Rejects with `not_available`,
   * `too_many_tasks` or `shutting_down`, like the log, and like loading the plugins of a program; then
   * nothing is written.
   */
  create(request: TaskRequest): Promise<Task>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  get(id: TaskId): Promise<Task | undefined>;
  /** When a task runs; undefined for one that runs at once, that has ended, or that does not exist. */
  plan(id: TaskId): Promise<TaskPlan | undefined>;
  /** When a task with this schedule would run, by the time that tasks are due by. Throws like `parseSchedule`. */
  preview(said: ScheduleInput, options: { readonly zone: string; readonly count: number }): SchedulePreview;
  /** Idempotent; resolves once the cancellation is durable. Calls already running finish or stop by their signal. */
  cancel(id: TaskId, by: string): Promise<CancelOutcome>;
  /**
   * Pauses, resumes, runs or edits a task that runs later. Durable once resolved; pausing what is paused changes
   * nothing. Rejects with `not_available` for a task that runs at once, with `task_running` when it is to run while it
   * runs, with `invalid_task`, and like `parseSchedule`; then nothing is written.
   */
  change(id: TaskId, change: TaskChange, by: string): Promise<ChangeOutcome>;
}

export type TaskChange =
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  | { readonly kind: "run" }
  | ({ readonly kind: "edit" } & EditTask);

export type ChangeOutcome =
  | { readonly kind: "changed" }
  | { readonly kind: "already_ended"; readonly status: Task["status"] }
  | { readonly kind: "unknown" };

/** A request from a client, or from a model, whose words never count as the user's. */
export type TaskRequest = CreateTask & { readonly writtenBy?: "model" };

export interface TaskPlan {
  /** The schedule or hook, described in words. */
  readonly runs: string;
  /** The next times at which it is due; empty when they are unknown. */
  readonly next: readonly string[];
  /** The zone of its schedule, where it has one. */
  readonly zone?: string;
}

export interface SchedulePreview {
  /** In words. */
  readonly runs: string;
  readonly next: readonly string[];
  /** Exactly what would be created. */
  readonly schedule: Schedule;
}

export type CancelOutcome =
  | { readonly kind: "cancelled" }
  | { readonly kind: "already_ended"; readonly status: Task["status"] }
  | { readonly kind: "unknown" };
