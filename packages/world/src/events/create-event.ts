import { idTimeMs, type EventId } from "@deputy/kit";
import {
  PreconditionFailedError,
  WorkflowRunNotFoundError,
  WorkflowWorldError,
  EntityConflictError,
} from "@workflow/errors";
import type {
  AnyEventRequest,
  CreateEventParams,
  Event,
  EventResult,
  WorkflowRun,
  Wait,
} from "@workflow/world";
import type { WorldStore } from "../world-store.ts";
import type { EventChange, EventContext, EventOf } from "./event-change.ts";
import { createHook, disposeHook, receiveHook } from "./hook-events.ts";
import { endRun, insertRun, refuseAfterEnd } from "./run-events.ts";
import { changeStep, createStep } from "./step-events.ts";

/** The version of Workflow DevKit's contract that this World implements. */
export const SPEC_VERSION = 3;

/** Workflow DevKit fails a run with more events. */
const MAX_EVENTS = 25_000;

const RUN_ID = /^wrun_[0-9A-HJKMNP-TV-Z]{26}$/;

type Params = Pick<CreateEventParams, "stateUpdatedAt">;

/**
 * Writes one event. The change to its entity, the event itself and the wake-ups are one transaction. Throws
 * the errors of Workflow DevKit's contract; then nothing is written.
 */
export type CreateEvent = (runId: string | null, request: AnyEventRequest, params?: Params) => EventResult;

export function createEventWriter(deps: {
  readonly store: WorldStore;
  /** Throws if the writer has lost its lease. */
  readonly assertLease: () => void;
}): CreateEvent {
  const { store, assertLease } = deps;

  const write = (runId: string, request: AnyEventRequest, params: Params): EventResult => {
    assertLease();
    const at = new Date(store.now());
    const specVersion = request.specVersion ?? SPEC_VERSION;
    const make = (fields: Record<string, unknown>): Event =>
      ({ ...fields, runId, eventId: store.newId("evnt"), createdAt: at, specVersion }) as Event;
    const append = (event: Event): void => {
      store.events.append(event);
      store.announce(event);
    };
    if (request.eventType === "run_created") {
      const run = insertRun(store, { runId, ...request.eventData }, at, specVersion);
      const event = make(request);
      append(event);
      return { event, run, maxEvents: MAX_EVENTS };
    }
    const { run, marker } = store.runs.get(runId) ?? bringRun(store, runId, request, { at, make, append });
    if (params.stateUpdatedAt !== undefined && params.stateUpdatedAt < marker)
      throw new PreconditionFailedError(`Run "${runId}" has events that this replay has not seen`);
    refuseAfterEnd(run, request.eventType);
    const context: EventContext = { run, at, specVersion, make };
    if (request.eventType === "run_started") return startRun(store, context, append);
    const change = apply(store, context, request);
    const event = change.event ?? make(request);
    const isReplays = params.stateUpdatedAt !== undefined;
    if (!isReplays && isSeenLater(event)) store.runs.mark(runId, timeMs(event));
    append(event);
    // A replay sees what it wrote itself.
    if (change.wakes === true && !isReplays) store.wake(runId, run.workflowName);
    return { ...change, event, ...(change.run === undefined ? undefined : { maxEvents: MAX_EVENTS }) };
  };

  return (runId, request, params = {}) => {
    const id = runId ?? store.newId("wrun");
    if (request.eventType === "run_created" && !RUN_ID.test(id))
      throw new WorkflowWorldError(`Invalid runId: "${id}"`);
    return store.db.write(request.eventType, "full", () => write(id, request, params));
  };
}

/** A `run_started` may contain everything that `run_created` would have said. */
function bringRun(
  store: WorldStore,
  runId: string,
  request: AnyEventRequest,
  { at, make, append }: Pick<EventContext, "at" | "make"> & { readonly append: (event: Event) => void },
): { readonly run: WorkflowRun; readonly marker: number } {
  if (request.eventType !== "run_started") throw new WorkflowRunNotFoundError(runId);
  const { workflowName, deploymentId, input, executionContext } = request.eventData ?? {};
  if (workflowName === undefined || deploymentId === undefined || input === undefined)
    throw new WorkflowRunNotFoundError(runId);
  const fields = { workflowName, deploymentId, input, executionContext };
  const run = insertRun(store, { runId, ...fields }, at, request.specVersion ?? SPEC_VERSION);
  append(make({ eventType: "run_created", eventData: fields }));
  return { run, marker: 0 };
}

/** Idempotent for a running run: returns its events so far and adds none. */
function startRun(
  store: WorldStore,
  { run, at, make }: EventContext,
  append: (event: Event) => void,
): EventResult {
  const isRunning = run.status === "running";
  const started = isRunning
    ? run
    : ({ ...run, status: "running", startedAt: run.startedAt ?? at, updatedAt: at } as WorkflowRun);
  const event = isRunning ? undefined : make({ eventType: "run_started" });
  if (event !== undefined) {
    store.runs.update(started);
    append(event);
  }
  const { data: events, cursor, hasMore } = store.events.list(run.runId);
  return { run: started, events, cursor, hasMore, maxEvents: MAX_EVENTS, ...(event && { event }) };
}

function apply(
  store: WorldStore,
  context: EventContext,
  request: Exclude<AnyEventRequest, EventOf<"run_created" | "run_started">>,
): EventChange {
  switch (request.eventType) {
    case "run_completed":
    case "run_failed":
    case "run_cancelled":
      return endRun(store, context, request);
    case "step_created":
      return createStep(store, context, request);
    case "step_started":
    case "step_completed":
    case "step_failed":
    case "step_retrying":
      return changeStep(store, context, request);
    case "hook_created":
      return createHook(store, context, request);
    case "hook_received":
      return receiveHook(store, request);
    case "hook_disposed":
      return disposeHook(store, request);
    case "wait_created":
      return createWait(store, context, request);
    default:
      return completeWait(store, context, request);
  }
}

/** Events that come from outside during a replay, which does not know them. */
function isSeenLater({ eventType }: Event): boolean {
  return eventType === "hook_received" || eventType === "step_completed";
}

function timeMs({ eventId }: Event): number {
  return idTimeMs(eventId.replace("evnt_", "evt_") as EventId);
}

function createWait(
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

function completeWait(
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
