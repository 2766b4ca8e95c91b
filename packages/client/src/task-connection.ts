import type { ApprovalAnswer, ApprovalId, TaskDetail, TaskEvent } from "@deputy/protocol";

/** Something that happens step by step and may ask, whether it runs in this process or in the daemon. */
export interface TaskFeed {
  /** From the beginning to the end. Rejects when the connection is lost for good. */
  events(signal: AbortSignal): AsyncIterable<TaskEvent>;
  /**
   * An answer that comes second is ignored: the first one counts. Resolves with what is wrong with an answer that does
   * not fit its question, which then stays open; undefined otherwise.
   */
  answer(id: ApprovalId, answer: ApprovalAnswer, signal: AbortSignal): Promise<string | undefined>;
}

/** A task as a client sees it; its events end after `completed`. */
export interface TaskConnection extends TaskFeed {
  /** Idempotent; the events then come to their end soon. */
  cancel(by: string, signal: AbortSignal): Promise<void>;
  /** The task with its outcome, once the events have ended. */
  ended(signal: AbortSignal): Promise<TaskDetail>;
}
