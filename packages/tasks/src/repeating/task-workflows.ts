import type { TaskId, TurnId } from "@deputy/kit";
import type { Task } from "@deputy/protocol";
import type { TemplateName, Workflows } from "@deputy/world";
import type { Firing, TaskEntry, TasksView } from "../tasks-view.ts";

/** The workflows of the tasks in the log, opened with the first firing. All methods reject like the workflows. */
export interface TaskWorkflows extends AsyncDisposable {
  /** Hands a firing over, to be carried to its end. Durable once resolved; idempotent by firing. */
  carry(entry: TaskEntry, firing: Firing): Promise<void>;
  /** A waiting firing continues if it was answered since it was released, or has ended. Idempotent. */
  wake(entry: TaskEntry, firing: Firing): Promise<void>;
  /** Drops the task's work. Idempotent. */
  cancel(id: TaskId): Promise<void>;
}

const TEMPLATES = {
  "one-shot": "oneShot_v1",
  recurring: "recurring_v1",
  event: "eventTriggered_v1",
} as const satisfies Record<Task["kind"], TemplateName>;

export function createTaskWorkflows(deps: {
  readonly openWorkflows: () => Promise<Workflows>;
  readonly look: () => Promise<TasksView>;
}): TaskWorkflows {
  let opening: Promise<Workflows> | undefined;

  const open = async (): Promise<Workflows> => {
    const workflows = await deps.openWorkflows();
    const { byId } = await deps.look();
    // Workflows that ended while no process had them open, or that belong to another log.
    for (const id of workflows.open())
      if (byId.get(id as TaskId)?.closed !== false) await workflows.cancel(id);
    return workflows;
  };
  const get = (): Promise<Workflows> => {
    opening ??= open();
    // The next caller tries again.
    opening.catch(() => (opening = undefined));
    return opening;
  };

  return {
    async carry({ task: { id, kind } }, { turnId }) {
      await (await get()).fire(TEMPLATES[kind], id, turnId);
    },
    async wake({ answers }, { turnId, answersBefore, outcome }) {
      // While the firing continues, its next wait keeps its name: the question there has no answer yet.
      const end = outcome === undefined ? answers : answers + 1;
      for (let count = answersBefore; count < end; count++)
        await (await get()).answered(waitName(turnId, count));
    },
    async cancel(id) {
      await (await opening)?.cancel(id);
    },
    async [Symbol.asyncDispose]() {
      const workflows = await opening?.catch(() => undefined);
      await workflows?.[Symbol.asyncDispose]();
    },
  };
}

/** The name of the wait for the next answer, after this many. */
export function waitName(turnId: TurnId, answers: number): string {
  return `${turnId} ${answers}`;
}
