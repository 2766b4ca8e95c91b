import { createLogView } from "@deputy/agent";
import type { TaskId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, StreamId } from "@deputy/protocol";
import type { Check } from "./heartbeat-file.ts";

/** The state of what HEARTBEAT.md names: the same text means that nothing has happened. */
export interface CheckStates {
  /** Asks no model. Rejects when the log does, and with the signal's reason. */
  of(check: Check, signal: AbortSignal): Promise<string>;
}

const NEVER = "never";
/** The word in `task any failed`. */
const ANY = "any";

interface Reported {
  /** The last report of each hook, by the hook's name. */
  readonly hooks: Map<string, string>;
  /** The last failure of each task, by the task's id, for the tasks that failed last. */
  readonly failures: Map<string, string>;
  /** Those that have not ended. */
  readonly tasks: Map<StreamId, TaskId>;
}

/** A task that failed before so many others is no longer news. */
const REMEMBERED_FAILURES = 1_000;

export function createCheckStates(deps: {
  readonly log: Pick<EventLog, "readAll">;
  /** Stays the same while a file has not changed; a missing file has a state too. */
  readonly fileState: (path: string, signal: AbortSignal) => Promise<string>;
}): CheckStates {
  const view = createLogView<Reported>(
    deps.log,
    ["hook.received", "task.created", "task.completed", "turn.failed"],
    { hooks: new Map(), failures: new Map(), tasks: new Map() },
    apply,
    { name: "checks 1" },
  );
  return {
    async of(check, signal) {
      if (check.kind === "file") return await deps.fileState(check.path, signal);
      const { hooks, failures } = (await view.current()).state;
      const last = check.kind === "hook" ? hooks.get(check.hook) : failures.get(check.task);
      return last ?? NEVER;
    },
  };
}

function apply({ hooks, failures, tasks }: Reported, event: CanonicalEvent): void {
  if (event.type === "hook.received") hooks.set(event.data.hook, event.id);
  if (event.type === "task.created") tasks.set(event.stream, event.data.taskId);
  const hasFailed =
    event.type === "turn.failed" || (event.type === "task.completed" && event.data.outcome === "failed");
  const task = event.type === "task.completed" ? event.data.taskId : tasks.get(event.stream);
  if (event.type === "task.completed") tasks.delete(event.stream);
  if (!hasFailed || task === undefined) return;
  failures.delete(task);
  failures.delete(ANY);
  failures.set(task, event.id).set(ANY, event.id);
  const [oldest] = failures.keys();
  if (oldest !== undefined && failures.size > REMEMBERED_FAILURES) failures.delete(oldest);
}
