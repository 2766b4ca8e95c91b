import { EntityConflictError, HookNotFoundError } from "@workflow/errors";
import type { Hook } from "@workflow/world";
import type { WorldStore } from "../world-store.ts";
import type { EventChange, EventContext, EventOf } from "./event-change.ts";

/** If another hook has the token, the workflow gets a `hook_conflict` instead. */
export function createHook(
  store: WorldStore,
  { run, at, specVersion, make }: EventContext,
  request: EventOf<"hook_created">,
): EventChange {
  const { correlationId: hookId, eventData } = request;
  const holder = store.hooks.byToken(eventData.token);
  if (holder?.hookId === hookId && holder.runId === run.runId)
    throw new EntityConflictError(`Hook "${hookId}" already created`);
  if (holder !== undefined) {
    const conflict = { token: eventData.token, conflictingRunId: holder.runId };
    return { event: make({ eventType: "hook_conflict", correlationId: hookId, eventData: conflict }) };
  }
  const hook: Hook = {
    runId: run.runId,
    hookId,
    token: eventData.token,
    metadata: eventData.metadata,
    ownerId: "deputy",
    projectId: "deputy",
    environment: "local",
    createdAt: at,
    specVersion,
    isWebhook: eventData.isWebhook ?? false,
  };
  store.hooks.insert(hook);
  return { hook };
}

export function receiveHook(store: WorldStore, request: EventOf<"hook_received">): EventChange {
  const hook = store.hooks.get(request.correlationId);
  if (hook === undefined) throw new HookNotFoundError(request.correlationId);
  return { hook, wakes: true };
}

export function disposeHook(store: WorldStore, request: EventOf<"hook_disposed">): EventChange {
  if (!store.hooks.remove(request.correlationId))
    throw new EntityConflictError(`Hook "${request.correlationId}" already disposed`);
  return {};
}
