import type { IdSource } from "@deputy/kit";
import type { Event } from "@workflow/world";
import { createEventRows, type EventRows } from "./entities/event-rows.ts";
import { createHookRows, type HookRows } from "./entities/hook-rows.ts";
import { createRunRows, type RunRows } from "./entities/run-rows.ts";
import { createStepRows, type StepRows } from "./entities/step-rows.ts";
import { createWaitRows, type WaitRows } from "./entities/wait-rows.ts";
import { createQueueRows, type QueueRows } from "./queue/queue-rows.ts";
import type { WorldDatabase } from "./sqlite/database.ts";

/** Every table of a World, behind one connection. */
export interface WorldStore {
  readonly db: WorldDatabase;
  readonly now: () => number;
  readonly runs: RunRows;
  readonly steps: StepRows;
  readonly hooks: HookRows;
  readonly waits: WaitRows;
  readonly events: EventRows;
  readonly queue: QueueRows;
  /** Ids of one store sort in the order of creation. */
  newId(prefix: "wrun" | "evnt"): string;
  /** Inside a transaction: wakes the run's workflow, unless a wake-up is already queued. */
  wake(run: string, workflow: string): void;
  /** Called inside the transaction of every event, after it was written; an error undoes the event. */
  watch(watcher: (event: Event) => void): void;
  announce(event: Event): void;
}

export function createWorldStore(deps: {
  readonly db: WorldDatabase;
  readonly now: () => number;
  readonly ids: IdSource;
}): WorldStore {
  const { db, now, ids } = deps;
  const queue = createQueueRows(db);
  const watchers: ((event: Event) => void)[] = [];
  return {
    db,
    now,
    runs: createRunRows(db),
    steps: createStepRows(db),
    hooks: createHookRows(db),
    waits: createWaitRows(db),
    events: createEventRows(db),
    queue,
    newId: (prefix) => `${prefix}_${ids.next("event").slice("evt_".length)}`,
    wake(run, workflow) {
      queue.insert({
        kind: "workflow",
        name: workflowQueue(workflow),
        run,
        key: wakeKey(run),
        ready: now(),
        body: { runId: run },
      });
    },
    watch: (watcher) => void watchers.push(watcher),
    announce(event) {
      for (const watcher of watchers) watcher(event);
    },
  };
}

export const WORKFLOW_PREFIX = "__wkf_workflow_";
export const STEP_PREFIX = "__wkf_step_";

export function workflowQueue(workflow: string): string {
  return `${WORKFLOW_PREFIX}${workflow}`;
}

export function wakeKey(run: string): string {
  return `wake:${run}`;
}
