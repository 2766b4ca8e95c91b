import { loadCore } from "../core/load-core.ts";
import type { SqliteWorld } from "../open-sqlite-world.ts";
import { TEMPLATE_SCRIPT } from "../templates/template-script.ts";
import type { Outcome, TemplateName } from "../templates/templates.ts";
import { WorldError } from "../world-error.ts";
import { type Advance, createAdvanceStep } from "./advance-step.ts";
import { createAnswers } from "./answers.ts";
import { createFirings } from "./firings.ts";
import { createTaskRows, type TaskRow } from "./task-rows.ts";
import { createTaskRuns } from "./task-runs.ts";
import { createTeller } from "./teller.ts";

/** Durable workflows of tasks. What a method resolves with is on the disk. */
export interface Workflows extends AsyncDisposable {
  /** Idempotent by task; `workflow_conflict` if it was started with another template. A one-shot begins at once. */
  start(template: TemplateName, taskId: string): Promise<"started" | "exists">;
  /** Idempotent by task and firing. Firings of a task come one after another. Throws `workflow_unknown`. */
  fire(taskId: string, firingId: string): Promise<"taken" | "ended">;
  /** Idempotent; may come before anybody waits for it, and for approvals that no workflow waits for. */
  answered(approvalId: string): Promise<void>;
  /** Idempotent. Tells the step at work to stop. Throws `workflow_unknown`. */
  cancel(taskId: string): Promise<"cancelled" | "ended">;
  /** Tasks that have not ended. */
  open(): readonly string[];
}

export interface WorkflowsOptions {
  readonly world: SqliteWorld;
  readonly advance: Advance;
  /** At least once for every task that ended, also one that ended before a crash. */
  readonly onEnded: (
    taskId: string,
    end: { readonly outcome: Outcome; readonly stop: boolean },
  ) => Promise<void>;
  readonly onBug: (error: unknown) => void;
  /** An abort suspends everything, as disposing does. */
  readonly signal: AbortSignal;
  /** Firings that one run takes before another goes on, so that no history grows for ever. */
  readonly firingsPerRun?: number;
}

const FIRINGS_PER_RUN = 50;

/**
 * Loads Workflow DevKit, continues interrupted work, and accepts new work. Disposing suspends: steps are
 * stopped with `suspended`, nothing is marked as failed, and the next opening continues.
 */
export async function openWorkflows(options: WorkflowsOptions): Promise<Workflows> {
  const { world, onBug, signal, firingsPerRun = FIRINGS_PER_RUN } = options;
  const { store, dispatcher, scope, createEvent } = world.parts;
  const { db } = store;
  const core = await loadCore();
  const tasks = createTaskRows(db);
  const firings = createFirings({ store, tasks, createEvent });
  const answers = createAnswers({ store, createEvent });
  const teller = createTeller({ db, tasks, onEnded: options.onEnded, onBug });
  const runs = createTaskRuns({
    store,
    tasks,
    firings,
    answers,
    createEvent,
    onStepEnd: () => scope.current?.onStepEnd?.(),
    onEnded: () => teller.tellAll(),
    onRunFailed: (task, message) => onBug(new Error(`The workflow of ${task} failed: ${message}`)),
  });
  const { onAdvanced } = runs;
  const step = createAdvanceStep({ advance: options.advance, scope, onAdvanced, onBug });
  core.attach(world, TEMPLATE_SCRIPT, new Map([["advance", step]]));
  store.watch(runs.onEvent);

  const known = (taskId: string): TaskRow => {
    const task = tasks.get(taskId);
    if (task !== undefined) return task;
    throw new WorldError("workflow_unknown", `There is no workflow of ${taskId}`);
  };
  const dispose = async (): Promise<void> => {
    signal.removeEventListener("abort", suspend);
    await dispatcher.stop();
    await teller.settled();
  };
  const suspend = (): void => void dispose().catch(onBug);
  signal.addEventListener("abort", suspend, { once: true });

  await world.start();
  teller.tellAll();
  if (signal.aborted) suspend();

  return {
    start: (template, taskId) =>
      scope.outside(async () => {
        const perRun = template === "oneShot_v1" ? 0 : firingsPerRun;
        const input = await core.encodeArguments([taskId, perRun], taskId);
        return db.write("start", "full", () => {
          const task = tasks.get(taskId);
          if (task !== undefined && task.template !== template)
            throw new WorldError("workflow_conflict", `${taskId} was started as ${task.template}`);
          if (task !== undefined) return "exists";
          runs.begin(taskId, template, perRun, input);
          return "started";
        });
      }),
    fire: (taskId, firingId) =>
      scope.outside(async () => {
        const payload = await core.encodePayload({ firingId }, taskId);
        return db.write("fire", "full", () => {
          if (known(taskId).isEnded) return "ended";
          firings.add(taskId, firingId, payload);
          firings.deliverNext(taskId);
          return "taken";
        });
      }),
    answered: (approvalId) =>
      scope.outside(async () => {
        const payload = await core.encodePayload(true, approvalId);
        db.write("answer", "full", () => answers.add(approvalId, payload));
      }),
    cancel: (taskId) =>
      scope.outside(async () => {
        const task = known(taskId);
        if (task.isEnded) return "ended";
        db.write("cancel", "full", () => runs.cancel(task));
        dispatcher.cancel(task.run);
        return "cancelled";
      }),
    open: () => tasks.open(),
    [Symbol.asyncDispose]: dispose,
  };
}
