import { EntityConflictError, RunExpiredError } from "@workflow/errors";
import type { AnyEventRequest, WorkflowRun } from "@workflow/world";
import type { WorldStore } from "../world-store.ts";
import type { EventChange, EventContext, EventOf } from "./event-change.ts";

const TERMINAL: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

export function isTerminalRun(run: WorkflowRun): boolean {
  return TERMINAL.has(run.status);
}

/** The data of a new run, from `run_created` or from a `run_started` that contains it. */
export interface NewRun {
  readonly runId: string;
  readonly deploymentId: string;
  readonly workflowName: string;
  readonly input: unknown;
  readonly executionContext?: unknown;
}

/** Throws `EntityConflictError` if the id is already used. */
export function insertRun(store: WorldStore, fields: NewRun, at: Date, specVersion: number): WorkflowRun {
  const run = {
    ...fields,
    status: "pending",
    specVersion,
    createdAt: at,
    updatedAt: at,
  } as WorkflowRun;
  if (!store.runs.insert(run)) throw new EntityConflictError(`Workflow run "${run.runId}" already exists`);
  store.wake(run.runId, run.workflowName);
  return run;
}

/** Throws what the contract requires for an event after a run's end; running steps may still end. */
export function refuseAfterEnd(run: WorkflowRun, type: AnyEventRequest["eventType"]): void {
  if (!isTerminalRun(run)) return;
  if (type === "run_cancelled" && run.status === "cancelled") return;
  if (type === "run_started")
    throw new RunExpiredError(`Workflow run "${run.runId}" is already in terminal state "${run.status}"`);
  if (type.startsWith("run_") || type.endsWith("_created"))
    throw new EntityConflictError(`Cannot ${type} on run in terminal state "${run.status}"`);
}

type RunEnd = EventOf<"run_completed" | "run_failed" | "run_cancelled">;

/** Updates the entity and removes everything the run waited for. */
export function endRun(store: WorldStore, { run, at }: EventContext, request: RunEnd): EventChange {
  if (isTerminalRun(run)) return { run };
  const ended = { ...run, ...outcomeOf(request), completedAt: at, updatedAt: at } as WorkflowRun;
  store.runs.update(ended);
  store.db.sql("DELETE FROM hooks WHERE run = ?").run(run.runId);
  store.db.sql("DELETE FROM waits WHERE run = ?").run(run.runId);
  store.queue.removeWaiting(run.runId);
  return { run: ended };
}

function outcomeOf(request: RunEnd): object {
  switch (request.eventType) {
    case "run_completed":
      return { status: "completed", output: request.eventData?.output };
    case "run_failed":
      return {
        status: "failed",
        error: structuredError(request.eventData.error, request.eventData.errorCode),
      };
    default:
      return { status: "cancelled" };
  }
}

/** The message of anything that was thrown, in the form that entities use. */
export function structuredError(error: unknown, code?: string, stack?: string): object {
  const given = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const told = typeof error === "string" ? error : given["message"];
  const message = typeof told === "string" ? told : "Unknown error";
  return { message, stack: stack ?? given["stack"], code };
}
