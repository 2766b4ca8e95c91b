import { type Clock, createSystemClock } from "@deputy/kit";
import { loadCore } from "../core/load-core.ts";
import type { SqliteWorld } from "../open-sqlite-world.ts";
import { installTemplates, type TemplateName } from "../templates/templates.ts";
import { type Advance, createAdvanceStep } from "./advance-step.ts";
import { createAnswers } from "./answers.ts";
import { createFirings } from "./firings.ts";
import { createTaskRows } from "./task-rows.ts";
import { createWorkflowRuns } from "./workflow-runs.ts";

/**
 * Carries firings of tasks to their ends, even if this process dies. When a method resolves, its effect is on
 * disk. A workflow knows how far a firing has come; only its caller knows whether the task is over.
 */
export interface Workflows extends AsyncDisposable {
  /**
   * Idempotent by task and firing; a task's firings run one after another. The first starts the task's
   * workflow, and so does one that comes after the workflow has ended. A one-shot has one firing, with any
   * name.
   */
  fire(template: TemplateName, taskId: string, firingId: string): Promise<void>;
  /** Idempotent. May come before anything waits for it, and for approvals that no workflow waits for. */
  answered(approvalId: string): Promise<void>;
  /** Idempotent. Tells the running step to stop. */
  cancel(taskId: string): Promise<void>;
  /** Tasks whose workflows have not ended. */
  open(): readonly string[];
}

export interface WorkflowsOptions {
  readonly world: SqliteWorld;
  readonly advance: Advance;
  /** The clock for retries; the machine's by default. */
  readonly clock?: Pick<Clock, "sleep">;
  readonly onBug: (error: unknown) => void;
  /** An abort suspends everything, as disposing does. */
  readonly signal: AbortSignal;
  /** Firings that one run takes before another takes over, so that no history grows forever. */
  readonly firingsPerRun?: number;
}

const FIRINGS_PER_RUN = 50;

/**
 * Loads Workflow DevKit, continues interrupted work, and accepts new work. Disposing suspends: steps are
 * stopped with `suspended`, nothing is marked as failed, and the next opening continues.
 */
export async function openWorkflows(options: WorkflowsOptions): Promise<Workflows> {
  const { world, onBug, signal, clock = createSystemClock(), firingsPerRun = FIRINGS_PER_RUN } = options;
  const { store, dispatcher, scope, createEvent } = world.parts;
  const { db } = store;
  const core = await loadCore();
  const tasks = createTaskRows(db);
  const firings = createFirings({ store, tasks, createEvent });
  const answers = createAnswers({ store, createEvent });
  const runs = createWorkflowRuns({
    store,
    tasks,
    firings,
    answers,
    createEvent,
    onStepEnd: () => scope.current?.onStepEnd?.(),
    onRunFailed: (task, message) => onBug(new Error(`The workflow of ${task} failed: ${message}`)),
  });
  const { onAdvanced } = runs;
  const step = createAdvanceStep({ advance: options.advance, scope, clock, onAdvanced, onBug });
  core.attach(world, TEMPLATE_SCRIPT, new Map([["advance", step]]));
  store.watch(runs.onEvent);

  const dispose = async (): Promise<void> => {
    signal.removeEventListener("abort", suspend);
    await dispatcher.stop();
  };
  const suspend = (): void => void dispose().catch(onBug);
  signal.addEventListener("abort", suspend, { once: true });

  await world.start();
  if (signal.aborted) suspend();

  return {
    fire: (template, taskId, firingId) =>
      scope.outside(async () => {
        const perRun = template === "oneShot_v1" ? 0 : firingsPerRun;
        const input = await core.encodeArguments([taskId, perRun], taskId);
        const payload = await core.encodePayload({ firingId }, taskId);
        db.write("fire", "full", () => {
          if (tasks.get(taskId)?.isEnded !== false) runs.begin(taskId, template, perRun, input);
          if (perRun === 0) return;
          firings.add(taskId, firingId, payload);
          firings.deliverNext(taskId);
        });
      }),
    answered: (approvalId) =>
      scope.outside(async () => {
        const payload = await core.encodePayload(true, approvalId);
        db.write("answer", "full", () => answers.add(approvalId, payload));
      }),
    cancel: (taskId) =>
      scope.outside(async () => {
        const task = tasks.get(taskId);
        if (task?.isEnded !== false) return;
        db.write("cancel", "full", () => runs.cancel(task));
        dispatcher.cancel(task.run);
      }),
    open: () => tasks.open(),
    [Symbol.asyncDispose]: dispose,
  };
}

/** The templates as one script for Workflow DevKit's VM: the source of the function, without its types. */
export const TEMPLATE_SCRIPT = `(${installTemplates.toString()})(globalThis);`;
