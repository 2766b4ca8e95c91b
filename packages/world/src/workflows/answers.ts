import type { CreateEvent } from "../events/create-event.ts";
import type { WorldStore } from "../world-store.ts";

/** Answered approvals: given to the hook that waits for the answer, or kept until there is one. */
export interface Answers {
  /** Inside a transaction. Repeating the same answer does nothing. */
  add(approval: string, payload: Uint8Array): void;
  /** Inside a transaction: gives a new hook the answer that came before it. */
  deliver(approval: string): void;
}

export function createAnswers(deps: {
  readonly store: WorldStore;
  readonly createEvent: CreateEvent;
}): Answers {
  const { store, createEvent } = deps;
  const { db } = store;
  const deliver = (approval: string): void => {
    const hook = store.hooks.byToken(approvalToken(approval));
    const answer = db.sql("SELECT payload FROM answers WHERE approval = ? AND delivered = 0").get(approval);
    if (hook === undefined || answer === undefined) return;
    createEvent(hook.runId, {
      eventType: "hook_received",
      correlationId: hook.hookId,
      eventData: { token: hook.token, payload: answer["payload"] },
    });
    db.sql("UPDATE answers SET delivered = 1 WHERE approval = ?").run(approval);
  };
  return {
    add(approval, payload) {
      db.sql(
        "INSERT INTO answers (approval, at, delivered, payload) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING",
      ).run(approval, store.now(), payload);
      deliver(approval);
    },
    deliver,
  };
}

/** The name of the hook at which a workflow waits for an approval; templates use it too. */
export function approvalToken(approval: string): string {
  return `approval:${approval}`;
}
