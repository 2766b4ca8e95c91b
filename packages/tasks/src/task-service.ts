import type { TaskId } from "@deputy/kit";
import type { CreateTask, Task } from "@deputy/protocol";

/** Work that outlives the request that asked for it. State is the log's. */
export interface TaskService {
  /** Durable once resolved; the work itself goes on in the background. Rejects with
   * `not_available`, `too_many_tasks` or `shutting_down`, as the log does, and as loading the plugins of a
   * program does; nothing is written then. */
  create(request: TaskRequest): Promise<Task>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  get(id: TaskId): Promise<Task | undefined>;
  /** When a task runs; undefined for one that runs at once, for one that ended, and for none. */
  plan(id: TaskId): Promise<TaskPlan | undefined>;
  /** Idempotent; resolves once the cancellation is durable. Calls already running finish or stop by their signal. */
  cancel(id: TaskId, by: string): Promise<CancelOutcome>;
}

/** What a client asks for; or what a model does, whose words are never the user's. */
export type TaskRequest = CreateTask & { readonly writtenBy?: "model" };

export interface TaskPlan {
  /** In words. */
  readonly runs: string;
  /** The next times it is due; empty where nobody knows them. */
  readonly next: readonly string[];
}

export type CancelOutcome =
  | { readonly kind: "cancelled" }
  | { readonly kind: "already_ended"; readonly status: Task["status"] }
  | { readonly kind: "unknown" };
