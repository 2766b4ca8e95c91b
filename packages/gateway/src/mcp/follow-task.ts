import type { ApprovalDesk } from "@deputy/agent";
import { makeVisible, type TaskId } from "@deputy/kit";
import {
  type EventLog,
  type PendingApproval,
  projectTaskEvents,
  type Task,
  type TaskDetail,
  type TaskEvent,
} from "@deputy/protocol";
import { describeTask, type TaskService } from "@deputy/tasks";

/** The point that a task has reached. */
export type TaskStep =
  | { readonly kind: "ended"; readonly task: TaskDetail }
  /** It waits for the user. Never empty. */
  | { readonly kind: "asks"; readonly approvals: readonly PendingApproval[] }
  /** The signal aborted first. */
  | { readonly kind: "left" };

export interface FollowDeps {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: Pick<ApprovalDesk, "pending">;
}

/** A task's events from `seq` on, each once. */
export interface TaskFollower {
  /** Resolves at the next question or the end; repeats questions that have no answer yet. Rejects like the log. */
  next(signal: AbortSignal): Promise<TaskStep>;
  /** Like `next`, but waits for answers from elsewhere instead of stopping at questions. */
  end(signal: AbortSignal): Promise<TaskStep>;
  /** The last event that was processed. */
  seq(): number;
}

export function followTask(
  deps: FollowDeps,
  { id, stream }: Pick<Task, "id" | "stream">,
  options: { readonly after: number; readonly tell: (message: string) => Promise<void> },
): TaskFollower {
  let after = options.after;

  const questions = async (): Promise<readonly PendingApproval[]> =>
    (await deps.approvals.pending()).filter((approval) => approval.stream === stream);

  const follow = async (signal: AbortSignal, stops: "at_questions" | "at_the_end"): Promise<TaskStep> => {
    const ask = async (): Promise<TaskStep | undefined> => {
      const approvals = stops === "at_questions" ? await questions() : [];
      return approvals.length === 0 ? undefined : { kind: "asks", approvals };
    };
    const asked = await ask();
    if (asked !== undefined) return asked;
    for await (const item of deps.log.subscribe(stream, { after }, signal)) {
      if (item.kind === "delta") continue;
      after = item.event.seq;
      for (const message of projectTaskEvents(item.event).flatMap(progressOf)) await options.tell(message);
      if (item.event.type === "task.completed") return await ended(deps, id);
      const next = item.event.type === "approval.requested" ? await ask() : undefined;
      if (next !== undefined) return next;
    }
    return { kind: "left" };
  };

  return {
    next: (signal) => follow(signal, "at_questions"),
    end: (signal) => follow(signal, "at_the_end"),
    seq: () => after,
  };
}

async function ended(deps: FollowDeps, id: TaskId): Promise<TaskStep> {
  const task = await deps.tasks.get(id);
  if (task === undefined) throw new Error(`Task ${id} has events, but is not there`);
  return { kind: "ended", task: await describeTask(deps.log, task) };
}

/**
 * Events that deserve a progress line. The program is not shown, because the sender has it, nor its result, because
 * it follows.
 */
function progressOf(event: TaskEvent): readonly string[] {
  switch (event.type) {
    case "status":
      return [makeVisible(event.message)];
    case "tool_result":
      return [`${event.toolPath} ${event.status}`];
    case "approval_request":
      return [`Waiting for the user: ${event.preview.title}`];
    case "approval_resolved":
      return [`The user has ${event.decision} it`];
    default:
      return [];
  }
}
