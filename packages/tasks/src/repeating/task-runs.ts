/** By which of the templates a task runs; the number changes when one that is under way could not be gone on with. */
export type TaskTemplate = "oneShot_v1" | "recurring_v1" | "eventTriggered_v1";

/**
 * Durable runs: what was fired is advanced until it ends, whatever happens to this process. All reject when
 * their storage does; nothing was taken then. What they know of a task is worth less than what the log says.
 */
export interface TaskRuns extends AsyncDisposable {
  /** Idempotent by key. One of a single firing begins with this. */
  start(template: TaskTemplate, key: string): Promise<"started" | "exists">;
  /** Idempotent by key and firing. The firings of a key are advanced one after the other. */
  fire(key: string, firingId: string): Promise<"taken" | "ended">;
  /** Whatever waits at that name, or will, is advanced. Idempotent. */
  answered(name: string): Promise<void>;
  /** Idempotent. What is being advanced is told by its signal. */
  cancel(key: string): Promise<unknown>;
  /** Keys that have not ended here. */
  open(): readonly string[];
}

/** Does the next part of a firing. Called again after a crash: it must not do twice what it has done. */
export type Advance = (
  firing: { readonly key: string; readonly firingId: string },
  signal: AbortSignal,
) => Promise<Advanced>;

export type Advanced =
  /** `stop`: nothing more comes under this key. */
  | { readonly kind: "ended"; readonly outcome: "succeeded" | "failed" | "cancelled"; readonly stop: boolean }
  /** It goes on once that name is `answered`, or after that time. */
  | { readonly kind: "waiting"; readonly approvalId: string; readonly timeoutMs: number };
