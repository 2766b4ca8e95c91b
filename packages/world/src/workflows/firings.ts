import type { CreateEvent } from "../events/create-event.ts";
import type { WorldStore } from "../world-store.ts";
import type { TaskRows } from "./task-rows.ts";

/**
 * A task's firings, kept until their turn comes and given to the hook of the task's run one at a time. The
 * next is given in the transaction that ends the one before, or in which the hook is created.
 */
export interface Firings {
  /** Inside a transaction. Repeating the same firing does nothing. */
  add(task: string, firing: string, payload: Uint8Array): void;
  /** Inside a transaction: gives the task's run its next firing, if it waits for one. */
  deliverNext(task: string): void;
  /** Inside a transaction. */
  markDone(task: string, firing: string): void;
}

export function createFirings(deps: {
  readonly store: WorldStore;
  readonly tasks: TaskRows;
  readonly createEvent: CreateEvent;
}): Firings {
  const { store, tasks, createEvent } = deps;
  const { db } = store;
  const first = (task: string, state: "waiting" | "delivered") =>
    db
      .sql("SELECT seq, payload FROM firings WHERE task = ? AND state = ? ORDER BY seq LIMIT 1")
      .get(task, state);

  return {
    add(task, firing, payload) {
      db.sql(
        `INSERT INTO firings (task, id, state, at, payload) VALUES (?, ?, 'waiting', ?, ?) ON CONFLICT DO NOTHING`,
      ).run(task, firing, store.now(), payload);
    },
    deliverNext(id) {
      const task = tasks.get(id);
      if (task === undefined || task.isEnded || task.outcome !== undefined) return;
      // A run that has had all of its firings is about to be replaced by another, which gets the rest.
      if (task.delivered >= task.firings || first(id, "delivered") !== undefined) return;
      const hook = store.hooks.byToken(taskToken(id));
      const next = first(id, "waiting");
      if (hook?.runId !== task.run || next === undefined) return;
      createEvent(task.run, {
        eventType: "hook_received",
        correlationId: hook.hookId,
        eventData: { token: hook.token, payload: next["payload"] },
      });
      db.sql("UPDATE firings SET state = 'delivered' WHERE seq = ?").run(Number(next["seq"]));
      tasks.countDelivery(id);
    },
    markDone(task, firing) {
      db.sql("UPDATE firings SET state = 'done', at = ? WHERE task = ? AND id = ?").run(
        store.now(),
        task,
        firing,
      );
    },
  };
}

/** The name of the hook at which a task's run waits for firings; templates use it too. */
export function taskToken(task: string): string {
  return `task:${task}`;
}
