import { EntityConflictError, WorkflowWorldError } from "@workflow/errors";
import type { Wait } from "@workflow/world";
import type { WorldStore } from "../world-store.ts";
import type { EventChange, EventContext, EventOf } from "./event-change.ts";

export function createWait(
  store: WorldStore,
  { run, at, specVersion }: EventContext,
  request: EventOf<"wait_created">,
): EventChange {
  const wait: Wait = {
    waitId: `${run.runId}-${request.correlationId}`,
    runId: run.runId,
    status: "waiting",
    resumeAt: new Date(request.eventData.resumeAt),
    createdAt: at,
    updatedAt: at,
    specVersion,
  };
  if (!store.waits.insert(request.correlationId, wait))
    throw new EntityConflictError(`Wait "${request.correlationId}" already exists`);
  return { wait };
}

export function completeWait(
  store: WorldStore,
  { run, at }: EventContext,
  request: EventOf<"wait_completed">,
): EventChange {
  const wait = store.waits.get(run.runId, request.correlationId);
  if (wait === undefined) throw new WorkflowWorldError(`Wait "${request.correlationId}" not found`);
  if (wait.status === "completed")
    throw new EntityConflictError(`Wait "${request.correlationId}" already completed`);
  const completed: Wait = { ...wait, status: "completed", completedAt: at, updatedAt: at };
  store.waits.update(request.correlationId, completed);
  return { wait: completed, wakes: true };
}
