import { EntityConflictError, RunExpiredError, TooEarlyError, WorkflowWorldError } from "@workflow/errors";
import type { Step } from "@workflow/world";
import { STEP_PREFIX, type WorldStore } from "../world-store.ts";
import type { EventChange, EventContext, EventOf } from "./event-change.ts";
import { isTerminalRun, structuredError } from "./run-events.ts";

/**
 * Creates the step, and the message that runs it. Workflow DevKit asks for that message again under the same
 * key.
 */
export function createStep(
  store: WorldStore,
  { run, at, specVersion }: EventContext,
  request: EventOf<"step_created">,
): EventChange {
  const { correlationId: stepId, eventData } = request;
  const step = {
    runId: run.runId,
    stepId,
    stepName: eventData.stepName,
    status: "pending",
    input: eventData.input,
    attempt: 0,
    createdAt: at,
    updatedAt: at,
    specVersion,
  } as Step;
  if (!store.steps.insert(step)) throw new EntityConflictError(`Step "${stepId}" already exists`);
  store.queue.insert({
    kind: "step",
    name: `${STEP_PREFIX}${step.stepName}`,
    run: run.runId,
    key: stepId,
    ready: at.getTime(),
    body: {
      workflowName: run.workflowName,
      workflowRunId: run.runId,
      workflowStartedAt: run.startedAt?.getTime() ?? at.getTime(),
      stepId,
    },
  });
  return { step };
}

type StepEvent = EventOf<"step_started" | "step_completed" | "step_failed" | "step_retrying">;

export function changeStep(store: WorldStore, context: EventContext, request: StepEvent): EventChange {
  const { run, at } = context;
  const step = store.steps.get(run.runId, request.correlationId);
  if (step === undefined) throw new WorkflowWorldError(`Step "${request.correlationId}" not found`);
  if (step.status !== "pending" && step.status !== "running")
    throw new EntityConflictError(`Cannot modify step in terminal state "${step.status}"`);
  // A running step may still end, but nothing new starts.
  if (isTerminalRun(run) && (step.status !== "running" || request.eventType === "step_started"))
    throw new RunExpiredError(`Cannot ${request.eventType} on run in terminal state "${run.status}"`);
  const changed: Step = { ...step, ...changeOf(step, request, at), updatedAt: at };
  store.steps.update(changed);
  return {
    step: changed,
    wakes: request.eventType === "step_completed" || request.eventType === "step_failed",
  };
}

function changeOf(step: Step, request: StepEvent, at: Date): object {
  switch (request.eventType) {
    case "step_started": {
      const leftMs = (step.retryAfter?.getTime() ?? 0) - at.getTime();
      if (leftMs > 0)
        throw new TooEarlyError("retryAfter not reached", { retryAfter: Math.ceil(leftMs / 1_000) });
      const startedAt = step.startedAt ?? at;
      return { status: "running", startedAt, attempt: step.attempt + 1, retryAfter: undefined };
    }
    case "step_completed":
      return { status: "completed", output: request.eventData.result, completedAt: at };
    case "step_failed": {
      const { error, stack } = request.eventData;
      return { status: "failed", error: structuredError(error, undefined, stack), completedAt: at };
    }
    default: {
      const { error, stack, retryAfter } = request.eventData;
      return { status: "pending", error: structuredError(error, undefined, stack), retryAfter };
    }
  }
}
