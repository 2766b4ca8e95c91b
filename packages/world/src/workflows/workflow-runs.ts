import type { CreateEvent } from "../events/create-event.ts";
import type { Advanced, AdvanceInput, TemplateName } from "../templates/templates.ts";
import type { Event } from "@workflow/world";
import type { WorldStore } from "../world-store.ts";
import { type Answers, approvalToken } from "./answers.ts";
import { type Firings, taskToken } from "./firings.ts";
import type { TaskRow, TaskRows } from "./task-rows.ts";

/** Keeps tasks and their workflows' runs consistent, inside the transaction of the event that causes the change. */
export interface WorkflowRuns {
  /** May replace one that has ended. */
  begin(task: string, template: TemplateName, firings: number, input: Uint8Array): void;
  cancel(task: TaskRow): void;
  onAdvanced(input: AdvanceInput, advanced: Advanced): void;
  onEvent(event: Event): void;
}

const DEPLOYMENT = "embedded";

export function createWorkflowRuns(deps: {
  readonly store: WorldStore;
  readonly tasks: TaskRows;
  readonly firings: Firings;
  readonly answers: Answers;
  readonly createEvent: CreateEvent;
  /** The step of the current delivery has ended. */
  readonly onStepEnd: () => void;
  /** After the commit. */
  readonly onRunFailed: (task: string, message: string) => void;
}): WorkflowRuns {
  const { store, tasks, firings, answers, createEvent } = deps;

  const createRun = (run: string, template: TemplateName, input: unknown): void => {
    const eventData = { deploymentId: DEPLOYMENT, workflowName: template, input };
    createEvent(run, { eventType: "run_created", eventData });
  };
  /** The run had all of its firings: another run with the same input takes over, in the same transaction. */
  const renew = (task: TaskRow): void => {
    const run = store.newId("wrun");
    tasks.renew(task.id, run);
    createRun(run, task.template, store.runs.get(task.run)?.run.input);
  };
  const onRunEnded = (event: Event, task: TaskRow): void => {
    if (event.eventType === "run_completed" && task.outcome === undefined) {
      renew(task);
      return;
    }
    if (event.eventType === "run_failed") {
      tasks.setOutcome(task.id, "failed", true);
      const { error } = event.eventData;
      store.db.afterCommit(() => deps.onRunFailed(task.id, JSON.stringify(error)));
    }
    if (event.eventType === "run_cancelled") tasks.setOutcome(task.id, "cancelled", true);
    tasks.end(task.id, store.now());
  };

  return {
    begin(task, template, firingsPerRun, input) {
      const run = store.newId("wrun");
      tasks.begin({ id: task, template, run, firings: firingsPerRun });
      createRun(run, template, input);
    },
    cancel: (task) => void createEvent(task.run, { eventType: "run_cancelled" }),
    onAdvanced({ taskId, firingId }, advanced) {
      const task = tasks.get(taskId);
      if (task === undefined || advanced.kind !== "ended") return;
      firings.markDone(taskId, firingId);
      if (advanced.stop || task.firings === 0) tasks.setOutcome(taskId, advanced.outcome, advanced.stop);
      else firings.deliverNext(taskId);
    },
    onEvent(event) {
      switch (event.eventType) {
        case "hook_created": {
          const { token } = event.eventData;
          if (token.startsWith(taskToken(""))) firings.deliverNext(token.slice(taskToken("").length));
          if (token.startsWith(approvalToken(""))) answers.deliver(token.slice(approvalToken("").length));
          return;
        }
        case "step_completed":
          deps.onStepEnd();
          return;
        case "run_completed":
        case "run_failed":
        case "run_cancelled": {
          const task = tasks.ofRun(event.runId);
          if (task !== undefined && !task.isEnded) onRunEnded(event, task);
          return;
        }
        default:
          return;
      }
    },
  };
}
