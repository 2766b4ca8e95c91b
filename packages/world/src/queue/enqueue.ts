import type { QueueOptions } from "@workflow/world";
import { WORKFLOW_PREFIX, wakeKey, type WorldStore } from "../world-store.ts";

/**
 * Queues a message unless one with its key waits; returns the id of either. A plain wake-up of a run has the
 * same key as wake-ups by events, so that a wake-up which Workflow DevKit requests after an event is already
 * there.
 */
export function enqueue(
  store: WorldStore,
  name: string,
  message: object,
  options: QueueOptions = {},
): number {
  const kind = name.startsWith(WORKFLOW_PREFIX) ? "workflow" : "step";
  const run = field(message, kind === "workflow" ? "runId" : "workflowRunId");
  const key = options.idempotencyKey ?? (isPlainWake(store, message) ? wakeKey(run ?? "") : undefined);
  const ready = store.now() + (options.delaySeconds ?? 0) * 1_000;
  return store.db.write("queue", "full", () =>
    store.queue.insert({ kind, name, run, key, ready, body: message }),
  );
}

function isPlainWake(store: WorldStore, message: object): boolean {
  const run = field(message, "runId");
  if (run === undefined || "replayDivergence" in message) return false;
  // If the run exists, it does not need the data that the message contains.
  return !("runInput" in message) || store.runs.get(run) !== undefined;
}

function field(message: object, name: string): string | undefined {
  const value: unknown = (message as Record<string, unknown>)[name];
  return typeof value === "string" ? value : undefined;
}
